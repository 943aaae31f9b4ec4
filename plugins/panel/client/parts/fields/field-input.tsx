import { h, type ComponentType, type VNode, type ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { foreignField } from "../../app/extensions.js";
import type { Field } from "../../api/content/page-types.js";
import { Foreign } from "../foreign.js";
import { t } from "../parts-texts.js";
import type { ControlProps, FieldInputProps } from "./field-props.js";
import { ChoiceInput, MomentInput } from "./simple-inputs.js";
import { StructureInput, BlocksInput } from "./nested-fields.js";
import { TagsInput } from "./tags-input.js";
import { DataInput } from "./data-input.js";
import { MediaInput } from "./media-input.js";
import { RelationInput } from "./relation-input.js";

type Control = ComponentType<ControlProps>;

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
  markdown: LongText,
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
    <Control
      of={Input}
      as={type}
      {...props}
      id={id}
      describedBy={describedBy}
      Nested={FieldInput}
    />
  );
  return (
    <Labelled field={field} type={type} id={id}>
      {control}
      {hint !== "" && (
        <span id={describedBy} class={error === null ? "help" : "field-error"}>
          {hint}
        </span>
      )}
    </Labelled>
  );
}

/** The control of an extension, if there is one for the kind, else the panel's own. */
function Control({
  of: Own,
  as: type,
  ...props
}: ControlProps & { of: Control; as: string }): VNode {
  const foreign = foreignField(props.field.type);
  const instead = (
    <Own {...props} field={Own === DataInput ? props.field : { ...props.field, type }} />
  );
  if (foreign === null) return instead;
  const { Nested: _, ...own } = props;
  return (
    <Foreign from={foreign.from} instead={instead}>
      <foreign.view {...own} />
    </Foreign>
  );
}

type TextType = "text" | "email" | "url" | "date" | "time";

function TextInput({ type, ...props }: ControlProps & { type: TextType }) {
  const { field, value, isEditable, onChange } = props;
  const onInput = (event: { currentTarget: HTMLInputElement }): void =>
    onChange(given(event.currentTarget.value));
  const maxLength = type === "text" && field.max !== null ? field.max : undefined;
  const own = { value: textOf(value), readOnly: !isEditable, onInput, maxLength };
  return h("input", { ...shared(props), ...own, type });
}

function NumberInput(props: ControlProps): VNode {
  const { field, value, isEditable, onChange } = props;
  const isRange = field.type === "range";
  const set = (text: string): void => onChange(text === "" ? undefined : Number(text));
  const input = (
    <input
      {...shared(props)}
      type={isRange ? "range" : "number"}
      step={isRange ? stepOf(field) : "any"}
      min={field.min ?? undefined}
      max={field.max ?? undefined}
      value={textOf(value)}
      disabled={!isEditable}
      onInput={(event) => set(event.currentTarget.value)}
    />
  );
  if (!isRange) return input;
  return (
    <div class="range">
      {input}
      <output for={props.id}>{value === undefined ? "–" : textOf(value)}</output>
    </div>
  );
}

/** Whole steps, and hundredths of short ranges. */
function stepOf({ min, max }: Field): number {
  const width = (max ?? 100) - (min ?? 0);
  return width > 5 ? 1 : width / 100;
}

function ColorInput(props: ControlProps): VNode {
  const { value, isEditable, onChange } = props;
  const text = textOf(value);
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

/** Short texts as tags; a list of anything else as text. */
function ListInput(props: ControlProps): VNode {
  const { value } = props;
  const isShort = !Array.isArray(value) || value.every((one) => typeof one === "string");
  return isShort ? <TagsInput {...props} /> : <DataInput {...props} />;
}

function LongText(props: ControlProps): VNode {
  const { field, value, isEditable, onChange } = props;
  return (
    <textarea
      {...shared(props)}
      class={field.type === "code" ? "code" : undefined}
      spellcheck={field.type !== "code"}
      rows={field.type === "textarea" ? 3 : 6}
      value={textOf(value)}
      readOnly={!isEditable}
      onInput={(event) => onChange(given(event.currentTarget.value))}
    />
  );
}

function Toggle(props: ControlProps): VNode {
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

function shared({ id, describedBy, error, field }: ControlProps) {
  return {
    id,
    name: field.name,
    "aria-describedby": describedBy,
    "aria-invalid": error !== null,
    "aria-required": field.required,
  };
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function given(text: string): string | undefined {
  return text === "" ? undefined : text;
}

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
function Labelled(props: {
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
