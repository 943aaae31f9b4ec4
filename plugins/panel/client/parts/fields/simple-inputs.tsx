import type { VNode } from "preact";
import type { ControlProps } from "./field-props.js";

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

const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;

const SHORT = "00:00".length;

/** A date with a time; the time zone that a value has stays. */
export function MomentInput(props: ControlProps): VNode {
  const { field, value, id, describedBy, error, isEditable, onChange } = props;
  const text = String(value ?? "");
  const [, day, time = "", zone = ""] = MOMENT.exec(text) ?? [];
  const set = (next: string, end = ""): void => onChange(next === "" ? undefined : next + end);
  const shared = {
    id,
    name: field.name,
    readOnly: !isEditable,
    "aria-describedby": describedBy,
    "aria-invalid": error !== null,
    "aria-required": field.required,
  };
  if (text !== "" && day === undefined) {
    return <input {...shared} value={text} onInput={(event) => set(event.currentTarget.value)} />;
  }
  return (
    <div class="row">
      <input
        {...shared}
        class="grow"
        type="datetime-local"
        step={time.length > SHORT ? 1 : 60}
        value={day === undefined ? "" : `${day}T${time}`}
        onInput={(event) => set(event.currentTarget.value, zone)}
      />
      <span class="dim">{zone.replace("Z", "UTC")}</span>
    </div>
  );
}
