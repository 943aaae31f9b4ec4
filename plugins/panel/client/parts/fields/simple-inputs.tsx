/** Controls that are one element of the browser, or a row of them. */
import { formatYaml, readYaml } from "#lib/yaml/reading";
import { h, type TargetedInputEvent, type VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Field } from "../../api/answers.js";
import { t } from "../parts-texts.js";
import type { ControlProps } from "./field-props.js";

const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;
const SHORT = "00:00".length;

type TextType = "text" | "email" | "url" | "date" | "time";

interface TextInputProps extends ControlProps {
  type: TextType;
}

/** A line of text, which the browser checks by its type. */
export function TextInput({ type, ...props }: TextInputProps) {
  const { field, value, isEditable, onChange } = props;
  // In JSX, each type of input has properties of its own.
  return h("input", {
    ...shared(props),
    type,
    value: toText(value),
    readOnly: !isEditable,
    maxLength: type === "text" && field.max !== null ? field.max : undefined,
    onInput: (event: TargetedInputEvent<HTMLInputElement>) =>
      onChange(given(event.currentTarget.value)),
  });
}

/** A number: typed, or chosen between two ends. */
export function NumberInput(props: ControlProps): VNode {
  const { field, value, isEditable, onChange } = props;
  const isRange = field.type === "range";
  const set = (text: string): void => onChange(text === "" ? undefined : Number(text));
  const input = (
    <input
      {...shared(props)}
      type={isRange ? "range" : "number"}
      step={isRange ? rangeStep(field) : "any"}
      min={field.min ?? undefined}
      max={field.max ?? undefined}
      value={toText(value)}
      disabled={!isEditable}
      onInput={(event) => set(event.currentTarget.value)}
    />
  );
  if (!isRange) return input;
  return (
    <div class="range">
      {input}
      <output for={props.id}>{value === undefined ? "–" : toText(value)}</output>
    </div>
  );
}

/** Whole steps, and hundredths of short ranges. */
function rangeStep({ min, max }: Field): number {
  const width = (max ?? 100) - (min ?? 0);
  return width > 5 ? 1 : width / 100;
}

/** A color as text, with the color picker of the browser. */
export function ColorInput(props: ControlProps): VNode {
  const { value, isEditable, onChange } = props;
  const text = toText(value);
  return (
    <div class="row">
      <TextInput {...props} type="text" />
      {isEditable && (
        <input
          type="color"
          aria-label={t("color.pick")}
          value={/^#[0-9a-f]{6}$/i.test(text) ? text : "#000000"}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </div>
  );
}

/** A text of several lines. */
export function LongText(props: ControlProps): VNode {
  const { field, value, isEditable, onChange } = props;
  return (
    <textarea
      {...shared(props)}
      class={field.type === "code" ? "code" : undefined}
      spellcheck={field.type !== "code"}
      rows={field.type === "textarea" ? 3 : 6}
      value={toText(value)}
      readOnly={!isEditable}
      onInput={(event) => onChange(given(event.currentTarget.value))}
    />
  );
}

/** A switch. */
export function Toggle(props: ControlProps): VNode {
  const { value, isEditable, onChange } = props;
  return (
    <input
      {...shared(props)}
      type="checkbox"
      role="switch"
      checked={value === true}
      disabled={!isEditable}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

/** A date with a time; the time zone that a value has stays. */
export function MomentInput(props: ControlProps): VNode {
  const { value, isEditable, onChange } = props;
  const text = String(value ?? "");
  const [, day, time = "", zone = ""] = MOMENT.exec(text) ?? [];
  const set = (next: string, end = ""): void => onChange(next === "" ? undefined : next + end);
  const common = { ...shared(props), readOnly: !isEditable };
  if (text !== "" && day === undefined) {
    return <input {...common} value={text} onInput={(event) => set(event.currentTarget.value)} />;
  }
  return (
    <div class="row">
      <input
        {...common}
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

/** Attributes of every control. */
function shared({ id, describedBy, error, field }: ControlProps) {
  return {
    id,
    name: field.name,
    "aria-describedby": describedBy,
    "aria-invalid": error !== null,
    "aria-required": field.required,
  };
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function given(text: string): string | undefined {
  return text === "" ? undefined : text;
}

/**
 * A value of any shape as text: JSON for fields of kind `json`, YAML for kinds without a control of their
 * own. Text that cannot be read stays in the control, with the reason below it.
 */
export function DataInput(props: ControlProps): VNode {
  const { field, value, id, describedBy, isEditable, onChange } = props;
  const isJson = field.type === "json";
  const [text, setText] = useState(() => formatData(value, isJson));
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    // The value was changed elsewhere: undone, or merged.
    const shown = parseData(text, isJson);
    if (shown.error === null && JSON.stringify(shown.value) !== JSON.stringify(value))
      setText(formatData(value, isJson));
  }, [value]);
  const change = (next: string): void => {
    setText(next);
    const result = parseData(next, isJson);
    setError(result.error);
    if (result.error === null) onChange(result.value);
  };
  const errorId = `${id}-problem`;
  return (
    <>
      <textarea
        id={id}
        name={field.name}
        class="code"
        rows={Math.min(16, Math.max(4, text.split("\n").length + 1))}
        spellcheck={false}
        aria-describedby={
          [describedBy, error === null ? "" : errorId].join(" ").trim() || undefined
        }
        aria-invalid={error !== null || props.error !== null}
        readOnly={!isEditable}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
      />
      {error !== null && (
        <span id={errorId} class="field-error" role="status">
          {error}
        </span>
      )}
    </>
  );
}

function formatData(value: unknown, isJson: boolean): string {
  if (value === undefined) return "";
  return isJson ? JSON.stringify(value, null, 2) : formatYaml(value).trimEnd();
}

function parseData(text: string, isJson: boolean): { value: unknown; error: string | null } {
  if (text.trim() === "") return { value: undefined, error: null };
  // JSON is YAML: its errors have a line and a column in every browser.
  const { mistake, values } = readYaml(text);
  if (mistake !== null) {
    const { line, message } = mistake;
    return { value: undefined, error: t("data.wrong", { line, reason: message }) };
  }
  if (!isJson) return { value: values, error: null };
  try {
    return { value: JSON.parse(text), error: null };
  } catch (failure) {
    return { value: undefined, error: failure instanceof Error ? failure.message : "" };
  }
}
