/** Mantine's theme, reading our tokens: one palette for controls, tables, nodes and charts. */
import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from "@mantine/core";

const shades = (token: string): MantineColorsTuple => {
  const solid = `var(--ac-${token})`;
  const soft = `var(--ac-${token}-soft)`;
  return [soft, soft, soft, solid, solid, solid, solid, solid, solid, solid];
};

/** Words on a filled ground: dark ones in the dark scheme, whose grounds are light. */
const variantColors: VariantColorsResolver = (input) => {
  const colours = defaultVariantColorsResolver(input);
  return input.variant === "filled" ? { ...colours, color: "var(--ac-on-brand)" } : colours;
};

export const theme = createTheme({
  variantColorResolver: variantColors,
  fontFamily: "var(--ac-font)",
  fontFamilyMonospace: "var(--ac-mono)",
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  lineHeights: { xs: "1.4", sm: "1.45", md: "1.5", lg: "1.5", xl: "1.4" },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "20px", xl: "32px" },
  radius: { xs: "4px", sm: "6px", md: "8px", lg: "10px", xl: "14px" },
  defaultRadius: "md",
  headings: {
    fontFamily: "var(--ac-font)",
    fontWeight: "620",
    sizes: {
      h1: { fontSize: "20px", lineHeight: "1.3" },
      h2: { fontSize: "16px", lineHeight: "1.35" },
      h3: { fontSize: "14px", lineHeight: "1.4" },
      h4: { fontSize: "13px", lineHeight: "1.4" },
      h5: { fontSize: "13px", lineHeight: "1.4" },
      h6: { fontSize: "12px", lineHeight: "1.4" },
    },
  },
  colors: {
    brand: shades("brand"),
    ember: shades("ember"),
    ok: shades("ok"),
    warn: shades("warn"),
    error: shades("error"),
    red: shades("error"),
    info: shades("info"),
    idle: shades("idle"),
  },
  primaryColor: "brand",
  primaryShade: 6,
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  autoContrast: false,
  components: {
    Button: { defaultProps: { size: "sm" } },
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray", size: 30 } },
    Tooltip: { defaultProps: { openDelay: 500, withArrow: false, multiline: true, maw: 320 } },
    Menu: {
      defaultProps: {
        position: "bottom-end",
        offset: 4,
        transitionProps: { duration: 120 },
        withInitialFocusPlaceholder: false,
      },
    },
    Popover: { defaultProps: { offset: 4, transitionProps: { duration: 120 } } },
    Modal: {
      defaultProps: {
        centered: true,
        padding: "lg",
        radius: "lg",
        transitionProps: { duration: 140, transition: "fade" },
        closeButtonProps: { "aria-label": "Close" },
      },
    },
    Drawer: {
      defaultProps: {
        position: "right",
        size: 480,
        padding: "lg",
        transitionProps: { duration: 140 },
        closeButtonProps: { "aria-label": "Close" },
      },
    },
    Select: {
      defaultProps: {
        allowDeselect: false,
        checkIconPosition: "right",
        clearButtonProps: { "aria-label": "Clear" },
        comboboxProps: { offset: 4 },
      },
    },
    MultiSelect: { defaultProps: { checkIconPosition: "right", clearButtonProps: { "aria-label": "Clear" } } },
    NumberInput: { defaultProps: { allowLeadingZeros: false } },
    Switch: { defaultProps: { size: "sm", withThumbIndicator: false } },
    Checkbox: { defaultProps: { size: "xs", radius: 4 } },
    Radio: { defaultProps: { size: "xs" } },
    Loader: { defaultProps: { type: "dots", size: "sm" } },
    Tabs: { defaultProps: { keepMounted: false } },
    SegmentedControl: { defaultProps: { size: "xs", withItemsBorders: false } },
    Kbd: { defaultProps: { size: "xs" } },
  },
});

/** Both schemes get the same references: the tokens themselves change with the scheme. */
const variables = {
  "--mantine-color-body": "var(--ac-surface)",
  "--mantine-color-text": "var(--ac-text)",
  "--mantine-color-bright": "var(--ac-text)",
  "--mantine-color-dimmed": "var(--ac-text-3)",
  "--mantine-color-placeholder": "var(--ac-text-3)",
  "--mantine-color-anchor": "var(--ac-brand)",
  "--mantine-color-error": "var(--ac-error)",
  "--mantine-color-default": "var(--ac-surface)",
  "--mantine-color-default-hover": "var(--ac-row-hover)",
  "--mantine-color-default-color": "var(--ac-text)",
  "--mantine-color-default-border": "var(--ac-control-border)",
  "--mantine-color-disabled": "var(--ac-idle-soft)",
  "--mantine-color-disabled-color": "var(--ac-text-3)",
  "--mantine-color-disabled-border": "var(--ac-hairline)",
  "--mantine-color-gray-light-color": "var(--ac-text-2)",
  "--mantine-color-gray-light-hover": "var(--ac-row-hover)",
  "--mantine-primary-color-contrast": "var(--ac-on-brand)",
  ...Object.fromEntries(
    ["brand", "ember", "ok", "warn", "error", "red", "info", "idle"].flatMap((name) => {
      const token = name === "red" ? "error" : name;
      return [
        [`--mantine-color-${name}-filled`, `var(--ac-${token})`],
        [`--mantine-color-${name}-filled-hover`, `color-mix(in oklab, var(--ac-${token}) 88%, var(--ac-text))`],
        [`--mantine-color-${name}-light`, `var(--ac-${token}-soft)`],
        [`--mantine-color-${name}-light-hover`, `var(--ac-${token}-soft)`],
        [`--mantine-color-${name}-light-color`, `var(--ac-${token})`],
        [`--mantine-color-${name}-outline`, `var(--ac-${token})`],
        [`--mantine-color-${name}-outline-hover`, `var(--ac-${token}-soft)`],
        [`--mantine-color-${name}-text`, `var(--ac-${token})`],
      ];
    }),
  ),
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: variables, dark: variables });
