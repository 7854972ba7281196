/** All style sheets every screen needs, in the order in which they must come. Imported once, by the app's entry. */
import "@fontsource-variable/geist/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./tokens/tokens.css";
import "./mantine.css";
import "./base.css";
