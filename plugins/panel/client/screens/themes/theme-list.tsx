import type { VNode } from "preact";
import type { Theme } from "../../api/settings/themes.js";
import { t } from "./themes-texts.js";

/** The installed themes; one is chosen. */
export function ThemeList(props: {
  items: readonly Theme[];
  active: string;
  chosen: string;
  isEditable: boolean;
  onChoose(name: string): void;
}): VNode {
  return (
    <section class="stack-small" aria-label={t("list")}>
      <h2>{t("list")}</h2>
      <ul class="theme-list">
        {props.items.map((theme) => (
          <li key={theme.name} class="card stack-small">
            <h3>{theme.name}</h3>
            <p class="row">
              {theme.name === props.active && <span class="badge good">{t("active")}</span>}
              {theme.name === props.chosen && <span class="badge">{t("chosen")}</span>}
              <small class="dim">{details(theme)}</small>
            </p>
            {theme.colors.length > 0 && <Colors of={theme} />}
            <p>{theme.description}</p>
            {theme.problem !== null && (
              <p class="notice bad break">{t("problem", { problem: theme.problem })}</p>
            )}
            {props.isEditable && theme.name !== props.chosen && theme.problem === null && (
              <div class="actions">
                <button
                  type="button"
                  aria-label={t("use.for", { name: theme.name })}
                  onClick={() => props.onChoose(theme.name)}
                >
                  {t("use")}
                </button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function details({ version, parent }: Theme): string {
  const parts = [version === "" ? "" : t("version", { version })];
  if (parent !== null) parts.push(t("parent", { parent }));
  return parts.filter((part) => part !== "").join(" · ");
}

function Colors({ of: { name, colors } }: { of: Theme }): VNode {
  return (
    <svg
      class="theme-colors"
      role="img"
      aria-label={t("colors", { name, colors: colors.join(", ") })}
      viewBox={`0 0 ${colors.length * 4} 1`}
      preserveAspectRatio="none"
    >
      {colors.map((color, at) => (
        <rect key={color} x={at * 4} y="0" width="4" height="1" fill={color} />
      ))}
    </svg>
  );
}
