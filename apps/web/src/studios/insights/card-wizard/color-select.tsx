/** A colour out of the chart palette, so that it follows the reader's theme. */
import { paletteOf, useScheme } from "@accord/cards/views";
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import { Popover, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

const CHOICES = [...Array.from({ length: 8 }, (_, at) => `chart-${at + 1}`), "positive", "warning", "negative"];

export function ColorSelect({
  label,
  theme = "default",
  value,
  onChange,
}: {
  label: string;
  /** Whose palette the colours are of. */
  theme?: CardConfiguration["colorTheme"];
  value: string | undefined;
  onChange: (color: string | undefined) => void;
}) {
  const palette = paletteOf(useScheme(), theme);
  const [opened, { toggle, close }] = useDisclosure(false);
  const chosen = palette.resolve(value) ?? palette.token("surface");
  return (
    <Popover opened={opened} onChange={close} position="bottom-end" trapFocus>
      <Popover.Target>
        <UnstyledButton
          className="ac-color"
          aria-label={label}
          aria-expanded={opened}
          onClick={toggle}
          style={{ background: chosen }}
          data-none={value === undefined || undefined}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <div className="ac-color__choices">
          {CHOICES.map((choice) => (
            <UnstyledButton
              key={choice}
              className="ac-color"
              aria-label={choice}
              aria-pressed={choice === value}
              style={{ background: palette.resolve(choice) }}
              onClick={() => {
                onChange(choice === value ? undefined : choice);
                close();
              }}
            />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
