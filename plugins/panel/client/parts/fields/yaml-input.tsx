import { parse, stringify } from "yaml";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ControlProps } from "./control-props.js";

/** A value of any shape as YAML: for kinds without a control of their own. */
export function YamlInput(props: ControlProps): VNode {
  const { field, value, id, describedBy, isEditable, onChange } = props;
  const [error, setError] = useState<string | null>(null);
  const change = (text: string): void => {
    try {
      onChange(text.trim() === "" ? undefined : parse(text));
      setError(null);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  return (
    <>
      <textarea
        id={id}
        name={field.name}
        class="code"
        rows={6}
        spellcheck={false}
        aria-describedby={describedBy}
        aria-invalid={error !== null}
        readOnly={!isEditable}
        defaultValue={value === undefined ? "" : stringify(value, { lineWidth: 0 })}
        onChange={(event) => change(event.currentTarget.value)}
      />
      {error !== null && <span class="field-error">{error}</span>}
    </>
  );
}
