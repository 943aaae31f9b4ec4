import type { ComponentChildren, ComponentType, VNode } from "preact";
import { useId } from "preact/hooks";
import { foreignField } from "../../app/extensions.js";
import { Foreign } from "../foreign.js";
import { lazy } from "../loading.js";
import {
  ChoiceInput,
  ColorInput,
  DataInput,
  LongText,
  MomentInput,
  NumberInput,
  TextInput,
  Toggle,
} from "./simple-inputs.js";
import type { ControlProps, FieldInputProps } from "./field-props.js";
import { MediaInput } from "./media-input.js";
import { BlocksInput, StructureInput } from "./nested-fields.js";
import { RelationInput, TagsInput } from "./choice-inputs.js";
import type { Field } from "../../api/answers.js";

type Control = ComponentType<ControlProps>;

const MarkdownField = lazy(() => import("../../screens/editor/text/markdown-field.js"));

const controls: Readonly<Record<string, Control>> = {
  text: (props) => <TextInput {...props} type="text" />,
  slug: (props) => <TextInput {...props} type="text" />,
  email: (props) => <TextInput {...props} type="email" />,
  url: (props) => <TextInput {...props} type="url" />,
  date: (props) => <TextInput {...props} type="date" />,
  time: (props) => <TextInput {...props} type="time" />,
  datetime: MomentInput,
  color: ColorInput,
  number: NumberInput,
  range: NumberInput,
  textarea: LongText,
  markdown: MarkdownField,
  code: LongText,
  toggle: Toggle,
  select: ChoiceInput,
  radio: ChoiceInput,
  checkboxes: ChoiceInput,
  tags: TagsInput,
  list: ListInput,
  object: StructureInput,
  structure: StructureInput,
  blocks: BlocksInput,
  page: RelationInput,
  pages: RelationInput,
  record: RelationInput,
  records: RelationInput,
  user: RelationInput,
  media: MediaInput,
  file: MediaInput,
};
/** The kind whose control edits a field; kinds that plugins add name one. */
function editedAs({ type, control = "" }: Field): string {
  if (Object.hasOwn(controls, type)) return type;
  return control === "checkbox" ? "toggle" : control;
}

/** A field with its label, help and error. Kinds without a control are edited as text. */
export function FieldInput(props: FieldInputProps): VNode {
  const { field, error } = props;
  const id = useId();
  const hint = error ?? field.help;
  const describedBy = hint === "" ? undefined : `${id}-hint`;
  const type = editedAs(field);
  const Input = controls[type] ?? DataInput;
  const control = (
    <ReplaceableControl
      of={Input}
      as={type}
      {...props}
      id={id}
      describedBy={describedBy}
      Nested={props.Nested ?? FieldInput}
    />
  );
  return (
    <Labelled field={field} type={type} id={id}>
      {control}
      {hint !== "" && (
        <span id={describedBy} class={error === null ? "help" : "field-error"}>
          {withCode(hint)}
        </span>
      )}
    </Labelled>
  );
}

/** A sentence whose parts between back ticks are code. */
export function withCode(text: string): ComponentChildren {
  const parts = text.split("`");
  // An odd number of marks is no pair.
  if (parts.length % 2 === 0) return text;
  return parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}

interface ReplaceableControlProps extends ControlProps {
  /** The control of the panel. */
  of: Control;
  /** The kind that the control edits. */
  as: string;
}

/** The control of an extension, if there is one for the kind, else the panel's own. */
function ReplaceableControl({ of: Own, as: type, ...props }: ReplaceableControlProps): VNode {
  const foreign = foreignField(props.field.type);
  const instead = (
    <Own {...props} field={Own === DataInput ? props.field : { ...props.field, type }} />
  );
  if (foreign === null) return instead;
  const { Nested: _, ...rest } = props;
  return (
    <Foreign from={foreign.from} instead={instead}>
      <foreign.view {...rest} />
    </Foreign>
  );
}

/** Short texts as tags; a list of anything else as text. */
function ListInput(props: ControlProps): VNode {
  const { value } = props;
  const isShort = !Array.isArray(value) || value.every((one) => typeof one === "string");
  return isShort ? <TagsInput {...props} /> : <DataInput {...props} />;
}

/** Kinds whose controls are groups of controls. */
const ownLabels: ReadonlySet<string> = new Set([
  "radio",
  "checkboxes",
  "object",
  "structure",
  "blocks",
  "media",
  "markdown",
]);

interface LabelledProps {
  field: Field;
  /** The kind that the control edits. */
  type: string;
  id: string;
  children: ComponentChildren;
}

/** A control with the label of its field; `type`: the kind that it edits. */
function Labelled(props: LabelledProps): VNode {
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
