import type { VNode } from "preact";
import type { ControlProps } from "./control-props.js";

/** One of the options, or several: a list, radio buttons or check boxes. */
export function ChoiceInput(props: ControlProps): VNode {
  return props.field.type === "select" ? <Select {...props} /> : <Buttons {...props} />;
}

function Select({
  field,
  value,
  id,
  describedBy,
  error,
  isEditable,
  onChange,
}: ControlProps): VNode {
  const chosen = typeof value === "string" ? value : "";
  return (
    <select
      id={id}
      name={field.name}
      aria-describedby={describedBy}
      aria-invalid={error !== null}
      value={chosen}
      disabled={!isEditable}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    >
      {(!field.required || chosen === "") && <option value="">–</option>}
      {field.options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

function Buttons({ field, value, id, isEditable, onChange }: ControlProps): VNode {
  const isMany = field.type === "checkboxes";
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [value];
  const change = (option: string, isOn: boolean): void => {
    if (!isMany) onChange(option);
    else {
      const others = chosen.filter((one) => typeof one === "string" && one !== option);
      onChange(isOn ? [...others, option] : others);
    }
  };
  return (
    <>
      {field.options.map((option) => (
        <label key={option.value} class="inline">
          <input
            type={isMany ? "checkbox" : "radio"}
            name={id}
            checked={chosen.includes(option.value)}
            disabled={!isEditable}
            onChange={(event) => change(option.value, event.currentTarget.checked)}
          />
          {option.label}
        </label>
      ))}
    </>
  );
}
