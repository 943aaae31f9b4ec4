/** Values inside a value: an object, a list of objects, blocks. */
import { isRecord } from "#lib/values";
import type { ComponentChildren, VNode } from "preact";
import { Plus } from "lucide";
import { useState } from "preact/hooks";
import { Dialog } from "../dialog.js";
import { Icon } from "../icon.js";
import { Loading, useLoaded } from "../loading.js";
import { t } from "../parts-texts.js";
import { DataInput } from "./simple-inputs.js";
import { findErrors, type ControlProps, type InnerError } from "./field-props.js";
import { FieldSet } from "./field-set.js";
import { ItemList } from "./item-list.js";
import type { Answer } from "../../api/request.js";
import { loadPageTypes } from "../../api/page-types.js";
import type { Field } from "../../api/answers.js";

type BlockType = Answer<"GET /page-types">["blocks"][number];

const NO_SEARCH_UP_TO = 6;

/** Values inside a value. */
type Values = Readonly<Record<string, unknown>>;

/** Fields inside a field: one set of them for an `object`, a list of sets for a `structure`. */
export function StructureInput(props: ControlProps): VNode {
  const { field, value, inner = [], isEditable, onChange, Nested } = props;
  const { fields } = field;
  if (field.type === "object") {
    return (
      <div class="nested">
        <NestedFields
          fields={fields}
          isEditable={isEditable}
          Nested={Nested}
          values={toValues(value)}
          errors={inner}
          onChange={(next) => onChange(Object.keys(next).length === 0 ? undefined : next)}
        />
      </div>
    );
  }
  const name = (at: number): string => t("item.name", { label: field.label, n: at + 1 });
  return (
    <NestedList
      control={props}
      nameOf={(_, at) => name(at)}
      titleOf={(item, at) => summarize(item, fields) || name(at)}
      formOf={({ item, inner: errors, ...form }) => (
        <NestedFields {...form} fields={fields} values={item} errors={errors} />
      )}
      addLabel={t("item.add")}
      onAdd={() => onChange([...toItems(value), startValues(fields)])}
    />
  );
}

/** A list of typed blocks: each has the fields of its type. */
export function BlocksInput(props: ControlProps): VNode {
  const types = useLoaded("blocks", loadPageTypes);
  return <Loading of={types}>{({ blocks }) => <Blocks {...props} types={blocks} />}</Loading>;
}

interface BlocksProps extends ControlProps {
  types: readonly BlockType[];
}

function Blocks({ types, ...props }: BlocksProps): VNode {
  const { field, value, onChange } = props;
  const [isAdding, setAdding] = useState(false);
  const named = field.more?.["blocks"];
  const allowed = Array.isArray(named) ? types.filter(({ name }) => named.includes(name)) : types;
  const add = (type: BlockType): void => {
    setAdding(false);
    onChange([...toItems(value), { type: type.name, ...startValues(type.fields) }]);
  };
  return (
    <>
      <NestedList
        control={props}
        nameOf={(item, at) => t("item.name", { label: findLabel(types, item), n: at + 1 })}
        titleOf={(item) => <BlockTitle types={types} item={item} />}
        formOf={(form) => <Block {...props} {...form} types={types} />}
        addLabel={allowed.length > 0 ? t("block.add") : null}
        onAdd={() => {
          const [only, second] = allowed;
          if (only !== undefined && second === undefined) add(only);
          else setAdding(true);
        }}
      />
      {isAdding && <Choice types={allowed} onChoose={add} onClose={() => setAdding(false)} />}
    </>
  );
}

interface BlockTitleProps {
  types: readonly BlockType[];
  item: Values;
}

function BlockTitle({ types, item }: BlockTitleProps): VNode {
  const fields = types.find(({ name }) => name === item["type"])?.fields ?? [];
  const summary = summarize(item, fields);
  return (
    <>
      <strong>{findLabel(types, item)}</strong>
      {summary !== "" && <span class="dim"> {summary}</span>}
    </>
  );
}

interface BlockProps extends Omit<ControlProps, "inner">, ItemForm {
  types: readonly BlockType[];
}

/** A block whose type does not exist (any more) keeps its values, as text. */
function Block(props: BlockProps): VNode {
  const { types, item, inner, isEditable, onChange, Nested } = props;
  const type = types.find(({ name }) => name === item["type"]);
  if (type !== undefined) {
    return (
      <NestedFields
        fields={type.fields}
        values={item}
        errors={inner}
        isEditable={isEditable}
        Nested={Nested}
        onChange={onChange}
      />
    );
  }
  return (
    <>
      <p class="field-error">{t("block.unknown", { type: String(item["type"]) })}</p>
      <DataInput {...props} id={`${props.id}-unknown`} value={item} />
    </>
  );
}

interface ChoiceProps {
  types: readonly BlockType[];
  onChoose(type: BlockType): void;
  onClose(): void;
}

function Choice({ types, onChoose, onClose }: ChoiceProps): VNode {
  const [words, setWords] = useState("");
  const matches = types.filter(({ label, name }) =>
    `${label} ${name}`.toLowerCase().includes(words.toLowerCase()),
  );
  return (
    <Dialog title={t("block.add")} onClose={onClose}>
      {types.length > NO_SEARCH_UP_TO && (
        <input
          type="search"
          aria-label={t("search")}
          placeholder={t("search")}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      )}
      <ul class="plain-list pick-list">
        {matches.map((type) => (
          <li key={type.name}>
            <button type="button" class="entry" onClick={() => onChoose(type)}>
              {type.label}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function findLabel(types: readonly BlockType[], item: Values): string {
  const name = String(item["type"] ?? "");
  return types.find((type) => type.name === name)?.label ?? name;
}

interface NestedFieldsProps {
  fields: readonly Field[];
  values: Values;
  errors: readonly InnerError[];
  isEditable: boolean;
  Nested: ControlProps["Nested"];
  onChange(values: Values): void;
}

/** The fields of an object, of an item, or of a block. */
function NestedFields({
  fields,
  values,
  errors,
  isEditable,
  onChange,
  Nested,
}: NestedFieldsProps): VNode {
  const set = (name: string, value: unknown): void => {
    const { [name]: _old, ...others } = values;
    onChange(value === undefined ? others : { ...values, [name]: value });
  };
  return (
    <FieldSet
      fields={fields}
      values={values}
      errors={errors}
      isEditable={isEditable}
      heading="h4"
      Input={Nested}
      onChange={set}
    />
  );
}

/** A map of values; an empty one for anything else. */
function toValues(value: unknown): Values {
  return isRecord(value) ? { ...value } : {};
}

/** A few words of the first text inside values. */
function summarize(values: Values, fields: readonly Field[]): string {
  for (const { name, type } of fields) {
    const value = values[name];
    if (type !== "hidden" && typeof value === "string" && value.trim() !== "") {
      return value.trim().slice(0, 80);
    }
  }
  return "";
}

/** The values that new items begin with. */
function startValues(fields: readonly Field[]): Values {
  const preset = fields.filter((field) => field.default !== undefined && field.default !== null);
  return Object.fromEntries(preset.map((field) => [field.name, field.default]));
}

/** Properties of the form of one item. */
interface ItemForm extends Pick<ControlProps, "isEditable" | "Nested" | "onChange"> {
  item: Values;
  /** Errors that the server found inside the item. */
  inner: readonly InnerError[];
}

/** The items of a list whose items are sets of values; an empty list for anything else. */
function toItems(value: unknown): readonly Values[] {
  return Array.isArray(value) ? value.map(toValues) : [];
}

interface NestedListProps {
  control: ControlProps;
  nameOf(item: Values, at: number): string;
  titleOf(item: Values, at: number): ComponentChildren;
  formOf(form: ItemForm): VNode;
  /** Label of the button below the list; null when nothing can be added. */
  addLabel: string | null;
  onAdd(): void;
}

/** A list whose items are sets of values, each with a form: a `structure`, or blocks. */
function NestedList({ control, nameOf, titleOf, formOf, addLabel, onAdd }: NestedListProps): VNode {
  const { field, value, inner = [], isEditable, onChange, Nested } = control;
  const items = toItems(value);
  const isFull = field.max !== null && items.length >= field.max;
  const selectErrors = (at: number): ItemForm["inner"] => findErrors(inner, String(at)).inner;
  return (
    <>
      <ItemList
        items={items}
        isEditable={isEditable}
        nameOf={nameOf}
        titleOf={titleOf}
        label={field.label}
        hasBody
        canCopy={!isFull}
        isWrong={(at) => selectErrors(at).length > 0}
        onChange={(next) => onChange(next.length === 0 ? undefined : next)}
      >
        {(item, at) =>
          formOf({
            item,
            isEditable,
            Nested,
            inner: selectErrors(at),
            onChange: (next) => onChange(items.with(at, toValues(next))),
          })
        }
      </ItemList>
      {isEditable && !isFull && addLabel !== null && (
        <button type="button" onClick={onAdd}>
          <Icon of={Plus} />
          {addLabel}
        </button>
      )}
    </>
  );
}
