import type { VNode } from "preact";
import type { ControlProps } from "./control-props.js";

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
