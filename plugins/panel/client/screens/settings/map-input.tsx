import { Plus, X } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../../app/texts.js";
import de from "../../locales/de/settings.json";
import en from "../../locales/en/settings.json";
import { Icon } from "../../parts/icon.js";

const t = texts({ en, de });

/** A row of the table; rows without a name are not part of the value. */
interface Row {
  readonly name: string;
  readonly value: string;
}

interface MapInputProps {
  label: string;
  value: unknown;
  isEditable: boolean;
  /** Undefined: the map is empty. */
  onChange(value: Readonly<Record<string, string>> | undefined): void;
}

/** A map of texts as a table with two columns. */
export function MapInput({ label, value, isEditable, onChange }: MapInputProps): VNode {
  const [typed, setTyped] = useState<readonly Row[] | null>(null);
  const rows = typed ?? toRows(value);
  const change = (next: readonly Row[]): void => {
    setTyped(next);
    const named = next.filter(({ name }) => name.trim() !== "");
    onChange(
      named.length === 0
        ? undefined
        : Object.fromEntries(named.map((row) => [row.name.trim(), row.value])),
    );
  };
  const set = (at: number, part: Partial<Row>): void =>
    change(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <div class="map-input">
      {rows.length > 0 && (
        <table aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t("map.name")}</th>
              <th scope="col">{t("map.value")}</th>
              {isEditable && <td />}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                <td>
                  <input
                    aria-label={t("map.nameOf", { n: at + 1, label })}
                    value={row.name}
                    readOnly={!isEditable}
                    spellcheck={false}
                    onInput={({ currentTarget }) => set(at, { name: currentTarget.value })}
                  />
                </td>
                <td>
                  <input
                    aria-label={t("map.valueOf", { n: at + 1, label })}
                    value={row.value}
                    readOnly={!isEditable}
                    spellcheck={false}
                    onInput={({ currentTarget }) => set(at, { value: currentTarget.value })}
                  />
                </td>
                {isEditable && (
                  <td>
                    <button
                      type="button"
                      class="icon"
                      aria-label={t("map.remove", { name: row.name || String(at + 1) })}
                      onClick={() => change(rows.filter((_row, index) => index !== at))}
                    >
                      <Icon of={X} />
                    </button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isEditable && (
        <button type="button" onClick={() => setTyped([...rows, { name: "", value: "" }])}>
          <Icon of={Plus} />
          {t("map.add", { label })}
        </button>
      )}
    </div>
  );
}

/** True for a value that the table can show without loss: a map of texts, or nothing. */
export function isTextMap(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== "object" || Array.isArray(value)) return false;
  return Object.values(value).every((one) => typeof one === "string");
}

function toRows(value: unknown): Row[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).map(([name, one]: [string, unknown]) => ({
    name,
    value: String(one),
  }));
}
