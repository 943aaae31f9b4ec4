import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { listBlockTypes, type BlockType } from "../../api/content/page-types.js";
import { Dialog } from "../dialog.js";
import { Loading } from "../loading.js";
import { t } from "../parts-texts.js";
import { useLoaded } from "../use-loaded.js";
import type { ControlProps } from "./control-props.js";
import { DataInput } from "./data-input.js";
import { NestedFields, startValues, summaryOf, type Values } from "./nested-fields.js";
import { itemsOf, NestedList, type ItemForm } from "./nested-list.js";

const NO_SEARCH_UP_TO = 6;

/** A list of typed blocks: each has the fields of its type. */
export function BlocksInput(props: ControlProps): VNode {
  const types = useLoaded("blocks", listBlockTypes);
  return <Loading of={types}>{(all) => <Blocks {...props} types={all} />}</Loading>;
}

function Blocks({ types, ...props }: ControlProps & { types: readonly BlockType[] }): VNode {
  const { field, value, onChange } = props;
  const [isAdding, setAdding] = useState(false);
  const named = field.more?.["blocks"];
  const allowed = Array.isArray(named) ? types.filter(({ name }) => named.includes(name)) : types;
  const add = (type: BlockType): void => {
    setAdding(false);
    onChange([...itemsOf(value), { type: type.name, ...startValues(type.fields) }]);
  };
  return (
    <>
      <NestedList
        control={props}
        nameOf={(item, at) => t("item.name", { label: labelOf(types, item), n: at + 1 })}
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

function BlockTitle({ types, item }: { types: readonly BlockType[]; item: Values }): VNode {
  const fields = types.find(({ name }) => name === item["type"])?.fields ?? [];
  const summary = summaryOf(item, fields);
  return (
    <>
      <strong>{labelOf(types, item)}</strong>
      {summary !== "" && <span class="dim"> {summary}</span>}
    </>
  );
}

/** A block whose type does not exist (any more) keeps its values, as text. */
function Block(props: ControlProps & ItemForm & { types: readonly BlockType[] }): VNode {
  const { types, item, inner, isEditable, onChange, Nested } = props;
  const type = types.find(({ name }) => name === item["type"]);
  if (type !== undefined) {
    return (
      <NestedFields
        fields={type.fields}
        values={item}
        errors={inner}
        {...{ isEditable, Nested, onChange }}
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

function Choice(props: {
  types: readonly BlockType[];
  onChoose(type: BlockType): void;
  onClose(): void;
}): VNode {
  const { types, onChoose, onClose } = props;
  const [words, setWords] = useState("");
  const found = types.filter(({ label, name }) =>
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
        {found.map((type) => (
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

function labelOf(types: readonly BlockType[], item: Values): string {
  const name = String(item["type"] ?? "");
  return types.find((type) => type.name === name)?.label ?? name;
}
