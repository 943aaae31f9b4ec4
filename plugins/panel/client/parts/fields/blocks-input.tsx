import { Plus } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { listBlockTypes, type BlockType } from "../../api/content/page-types.js";
import { Dialog } from "../dialog.js";
import { Icon } from "../icon.js";
import { Loading } from "../loading.js";
import { t } from "../parts-texts.js";
import { useLoaded } from "../use-loaded.js";
import { errorsOf, type ControlProps } from "./control-props.js";
import { ItemList } from "./item-list.js";
import { NestedFields, startValues, summaryOf, valuesOf, type Values } from "./nested-fields.js";
import { DataInput } from "./data-input.js";

const NO_SEARCH_UP_TO = 6;

/** A list of typed blocks: each has the fields of its type. */
export function BlocksInput(props: ControlProps): VNode {
  const types = useLoaded("blocks", listBlockTypes);
  return <Loading of={types}>{(all) => <Blocks {...props} types={all} />}</Loading>;
}

function Blocks({ types, ...props }: ControlProps & { types: readonly BlockType[] }): VNode {
  const { field, value, inner = [], isEditable, onChange } = props;
  const [isAdding, setAdding] = useState(false);
  const items = Array.isArray(value) ? value.map(valuesOf) : [];
  const named = field.more?.["blocks"];
  const allowed = Array.isArray(named) ? types.filter(({ name }) => named.includes(name)) : types;
  const isFull = field.max !== null && items.length >= field.max;
  const add = (type: BlockType): void => {
    setAdding(false);
    onChange([...items, { type: type.name, ...startValues(type.fields) }]);
  };
  return (
    <>
      <ItemList
        label={field.label}
        items={items}
        isEditable={isEditable}
        hasBody
        canCopy={!isFull}
        nameOf={(item, at) => t("item.name", { label: labelOf(types, item), n: at + 1 })}
        titleOf={(item) => <BlockTitle types={types} item={item} />}
        isWrong={(at) => errorsOf(inner, String(at)).inner.length > 0}
        onChange={(next) => onChange(next.length === 0 ? undefined : next)}
      >
        {(item, at) => (
          <Block
            {...props}
            types={types}
            item={item}
            inner={errorsOf(inner, String(at)).inner}
            onChange={(next) => onChange(items.with(at, valuesOf(next)))}
          />
        )}
      </ItemList>
      {isEditable && !isFull && allowed.length > 0 && (
        <button
          type="button"
          onClick={() => {
            const [only, second] = allowed;
            if (only !== undefined && second === undefined) add(only);
            else setAdding(true);
          }}
        >
          <Icon of={Plus} />
          {t("block.add")}
        </button>
      )}
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
function Block(props: ControlProps & { types: readonly BlockType[]; item: Values }): VNode {
  const { types, item, inner = [], isEditable, onChange, Nested } = props;
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
