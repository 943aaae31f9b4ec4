import { X } from "lucide";
import type { VNode } from "preact";
import { Combobox, type ComboOption } from "../combobox.js";
import { Icon } from "../icon.js";
import { t } from "../parts-texts.js";
import type { ControlProps } from "./field-props.js";
import { call } from "../../api/request.js";

/** A list of short texts with suggestions: Enter or a comma adds one, its button removes it. */
export function TagsInput(props: ControlProps): VNode {
  const { field, value, id, describedBy, error, isEditable, onChange } = props;
  const items = itemsOf(value);
  const add = (text: string): boolean => {
    const found = text
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "" && !items.includes(one));
    if (found.length > 0) onChange([...items, ...found]);
    return text.trim() !== "";
  };
  const remove = (tag: string): void => {
    const rest = items.filter((one) => one !== tag);
    onChange(rest.length === 0 ? undefined : rest);
  };
  return (
    <div class="tags">
      {items.map((item) => (
        <span key={item} class="tag">
          {item}
          {isEditable && (
            <button
              type="button"
              class="icon"
              aria-label={t("tag.remove", { tag: item })}
              onClick={() => remove(item)}
            >
              <Icon of={X} size={14} />
            </button>
          )}
        </span>
      ))}
      {isEditable && (
        <Combobox
          id={id}
          describedBy={describedBy}
          isInvalid={error !== null}
          placeholder={t("tag.add")}
          find={async (words) =>
            (await suggestions(props, words)).filter(({ key }) => !items.includes(key))
          }
          onChoose={({ key }) => add(key)}
          onText={add}
          onBackspace={() => {
            const last = items.at(-1);
            if (last !== undefined) remove(last);
          }}
        />
      )}
      {!isEditable && <input id={id} type="hidden" name={field.name} />}
    </div>
  );
}

/** The field's options, else the values that other pages have. */
async function suggestions(
  { field }: ControlProps,
  words: string,
): Promise<readonly ComboOption[]> {
  if (field.options.length > 0) {
    return field.options
      .filter(({ label }) => label.toLowerCase().includes(words.toLowerCase()))
      .map(({ value, label }) => ({ key: value, label, detail: "" }));
  }
  if (field.type !== "tags") return [];
  const from = typeof field.more?.["from"] === "string" ? field.more["from"] : field.name;
  const input = { params: { target: "term" }, query: { from, q: words } };
  return (await call("GET /relations/:target", input)).items;
}

function itemsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  return value === undefined || value === null || value === "" ? [] : [String(value)];
}
