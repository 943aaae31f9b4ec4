import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formatYaml, readYaml } from "#lib/yaml/reading";
import { t } from "../parts-texts.js";
import type { ControlProps } from "./field-props.js";

/**
 * A value of any shape as text: JSON for fields of kind `json`, YAML for kinds without a control of their
 * own. Text that cannot be read stays in the control, with the reason below it.
 */
export function DataInput(props: ControlProps): VNode {
  const { field, value, id, describedBy, isEditable, onChange } = props;
  const isJson = field.type === "json";
  const [text, setText] = useState(() => textOf(value, isJson));
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    // The value was changed elsewhere: undone, or merged.
    const shown = read(text, isJson);
    if (shown.error === null && !isSame(shown.value, value)) setText(textOf(value, isJson));
  }, [value]);
  const change = (next: string): void => {
    setText(next);
    const result = read(next, isJson);
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

function textOf(value: unknown, isJson: boolean): string {
  if (value === undefined) return "";
  return isJson ? JSON.stringify(value, null, 2) : formatYaml(value).trimEnd();
}

function read(text: string, isJson: boolean): { value: unknown; error: string | null } {
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

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
