import { Plus } from "lucide";
import type { ComponentChildren, VNode } from "preact";
import { Icon } from "../icon.js";
import { errorsOf, type ControlProps } from "./control-props.js";
import { ItemList } from "./item-list.js";
import { valuesOf, type Values } from "./nested-fields.js";

/** What the form of one item gets. */
export type ItemForm = Pick<ControlProps, "isEditable" | "Nested" | "onChange"> & {
  item: Values;
  inner: NonNullable<ControlProps["inner"]>;
};

/** The items of a list whose items are sets of values; an empty list for anything else. */
export function itemsOf(value: unknown): readonly Values[] {
  return Array.isArray(value) ? value.map(valuesOf) : [];
}

/** A list whose items are sets of values, each with a form: a `structure`, or blocks. */
export function NestedList(props: {
  control: ControlProps;
  nameOf(item: Values, at: number): string;
  titleOf(item: Values, at: number): ComponentChildren;
  formOf(form: ItemForm): VNode;
  /** Label of the button below the list; null when nothing can be added. */
  addLabel: string | null;
  onAdd(): void;
}): VNode {
  const { control, nameOf, titleOf, formOf, addLabel, onAdd } = props;
  const { field, value, inner = [], isEditable, onChange, Nested } = control;
  const items = itemsOf(value);
  const isFull = field.max !== null && items.length >= field.max;
  const errorsAt = (at: number): ItemForm["inner"] => errorsOf(inner, String(at)).inner;
  return (
    <>
      <ItemList
        {...{ items, isEditable, nameOf, titleOf }}
        label={field.label}
        hasBody
        canCopy={!isFull}
        isWrong={(at) => errorsAt(at).length > 0}
        onChange={(next) => onChange(next.length === 0 ? undefined : next)}
      >
        {(item, at) =>
          formOf({
            item,
            isEditable,
            Nested,
            inner: errorsAt(at),
            onChange: (next) => onChange(items.with(at, valuesOf(next))),
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
