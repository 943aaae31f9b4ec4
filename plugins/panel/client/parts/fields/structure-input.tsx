import type { VNode } from "preact";
import { t } from "../parts-texts.js";
import type { ControlProps } from "./control-props.js";
import { NestedFields, startValues, summaryOf, valuesOf } from "./nested-fields.js";
import { itemsOf, NestedList } from "./nested-list.js";

/** Fields inside a field: one set of them for an `object`, a list of sets for a `structure`. */
export function StructureInput(props: ControlProps): VNode {
  const { field, value, inner = [], isEditable, onChange, Nested } = props;
  const { fields } = field;
  if (field.type === "object") {
    return (
      <div class="nested">
        <NestedFields
          {...{ fields, isEditable, Nested }}
          values={valuesOf(value)}
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
      titleOf={(item, at) => summaryOf(item, fields) || name(at)}
      formOf={({ item, inner: errors, ...form }) => (
        <NestedFields {...form} fields={fields} values={item} errors={errors} />
      )}
      addLabel={t("item.add")}
      onAdd={() => onChange([...itemsOf(value), startValues(fields)])}
    />
  );
}
