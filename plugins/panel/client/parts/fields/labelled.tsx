import type { ComponentChildren, VNode } from "preact";
import type { Field } from "../../api/content/page-types.js";

/** Kinds whose controls are groups of controls. */
const ownLabels: ReadonlySet<string> = new Set([
  "radio",
  "checkboxes",
  "object",
  "structure",
  "blocks",
  "media",
]);

/** A control with the label of its field; `type`: the kind that it edits. */
export function Labelled(props: {
  field: Field;
  type: string;
  id: string;
  children: ComponentChildren;
}): VNode {
  const { field, id, children } = props;
  const text = `${field.label}${field.required ? " *" : ""}`;
  if (ownLabels.has(props.type)) {
    return (
      <fieldset class="field">
        <legend>{text}</legend>
        {children}
      </fieldset>
    );
  }
  return (
    <div class="field">
      <label for={id}>{text}</label>
      {children}
    </div>
  );
}
