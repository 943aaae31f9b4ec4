import { X } from "lucide";
import type { VNode } from "preact";
import { t } from "../parts-texts.js";
import { Icon } from "../icon.js";
import type { ControlProps } from "./control-props.js";

/** A list of short texts: each is added by Enter or a comma, and removed by its button. */
export function TagsInput(props: ControlProps): VNode {
  const { field, value, id, describedBy, isEditable, onChange } = props;
  const items = itemsOf(value);
  const add = (text: string): boolean => {
    const found = text
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "" && !items.includes(one));
    if (found.length > 0) onChange([...items, ...found]);
    return text.trim() !== "";
  };
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLInputElement }): void => {
    const { currentTarget: input } = event;
    if ((event.key === "Enter" || event.key === ",") && !event.isComposing) {
      event.preventDefault();
      if (add(input.value)) input.value = "";
    } else if (event.key === "Backspace" && input.value === "" && items.length > 0) {
      onChange(items.slice(0, -1));
    }
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
              onClick={() => onChange(items.filter((one) => one !== item))}
            >
              <Icon of={X} size={14} />
            </button>
          )}
        </span>
      ))}
      <input
        id={id}
        aria-describedby={describedBy}
        placeholder={t("tag.add")}
        list={field.options.length > 0 ? `${id}-options` : undefined}
        readOnly={!isEditable}
        onKeyDown={onKeyDown}
        onBlur={(event) => {
          if (add(event.currentTarget.value)) event.currentTarget.value = "";
        }}
      />
      {field.options.length > 0 && (
        <datalist id={`${id}-options`}>
          {field.options.map((option) => (
            <option key={option.value} value={option.value} />
          ))}
        </datalist>
      )}
    </div>
  );
}

function itemsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  return value === undefined || value === null || value === "" ? [] : [String(value)];
}
