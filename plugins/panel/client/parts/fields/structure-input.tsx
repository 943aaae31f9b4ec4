import { Plus } from "lucide";
import type { VNode } from "preact";
import { Icon } from "../icon.js";
import { t } from "../parts-texts.js";
import { errorsOf, type ControlProps } from "./control-props.js";
import { ItemList } from "./item-list.js";
import { NestedFields, startValues, summaryOf, valuesOf } from "./nested-fields.js";

/** Fields inside a field: one set of them for an `object`, a list of sets for a `structure`. */
export function StructureInput(props: ControlProps): VNode {
  const { field, value, inner = [], isEditable, onChange, Nested } = props;
  const shared = { fields: field.fields, isEditable, Nested };
  if (field.type === "object") {
    return (
      <div class="nested">
        <NestedFields
          {...shared}
          values={valuesOf(value)}
          errors={inner}
          onChange={(next) => onChange(Object.keys(next).length === 0 ? undefined : next)}
        />
      </div>
    );
  }
  const items = Array.isArray(value) ? value.map(valuesOf) : [];
  const name = (at: number): string => t("item.name", { label: field.label, n: at + 1 });
  const isFull = field.max !== null && items.length >= field.max;
  return (
    <>
      <ItemList
        label={field.label}
        items={items}
        isEditable={isEditable}
        hasBody
        canCopy={!isFull}
        nameOf={(_, at) => name(at)}
        titleOf={(item, at) => summaryOf(item, field.fields) || name(at)}
        isWrong={(at) => errorsOf(inner, String(at)).inner.length > 0}
        onChange={(next) => onChange(next.length === 0 ? undefined : next)}
      >
        {(item, at) => (
          <NestedFields
            {...shared}
            values={item}
            errors={errorsOf(inner, String(at)).inner}
            onChange={(next) => onChange(items.with(at, next))}
          />
        )}
      </ItemList>
      {isEditable && !isFull && (
        <button type="button" onClick={() => onChange([...items, startValues(field.fields)])}>
          <Icon of={Plus} />
          {t("item.add")}
        </button>
      )}
    </>
  );
}
