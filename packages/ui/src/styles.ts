/**
 * All style sheets of the kit, in the order in which they must come. Imported once, by the app's entry: screens use
 * classes of parts that only other screens show.
 */
import "@fontsource-variable/geist/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./tokens/tokens.css";
import "./mantine.css";
import "./base.css";
import "./busy-button/busy-button.css";
import "./confirm-dialog/confirm-dialog.css";
import "./copyable-id/copyable-id.css";
import "./data-table/column-choice.css";
import "./data-table/data-table.css";
import "./empty-state/empty-state.css";
import "./error-box/error-box.css";
import "./error-screen/error-screen.css";
import "./filter-chips/filter-chips.css";
import "./form-layout/form-layout.css";
import "./inline-edit/inline-edit.css";
import "./key-value/key-value.css";
import "./page-header/page-header.css";
import "./progress/progress-bar.css";
import "./shortcut-sheet/shortcut-sheet.css";
import "./side-panel/side-panel.css";
import "./skeletons/skeletons.css";
import "./status-tag/status-tag.css";
import "./wizard-frame/wizard-frame.css";
