import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide";
import type { VNode } from "preact";
import type { Field } from "../../api/page-types.js";
import { Icon } from "../icon.js";
import { t } from "../parts-texts.js";
import type { ControlProps } from "./control-props.js";
import { isShown } from "./is-shown.js";

type Values = Readonly<Record<string, unknown>>;

/** Fields inside a field: one set of them for an `object`, a list of sets for a `structure`. */
export function StructureInput(props: ControlProps): VNode {
  const { field, value, isEditable, onChange } = props;
  if (field.type === "object") {
    return <Inner {...props} values={valuesOf(value)} onChange={onChange} />;
  }
  const items = Array.isArray(value) ? value.map(valuesOf) : [];
  const move = (from: number, to: number): void => {
    const next = [...items];
    const [item] = next.splice(from, 1);
    if (item !== undefined) next.splice(to, 0, item);
    onChange(next);
  };
  return (
    <>
      {items.map((item, at) => (
        <div
          key={at}
          class="structure-item stack"
          role="group"
          aria-label={`${field.label} ${at + 1}`}
        >
          <Inner
            {...props}
            values={item}
            onChange={(next) => onChange(items.map((one, other) => (other === at ? next : one)))}
          />
          {isEditable && (
            <div class="row">
              <IconButton
                label={t("item.up", { n: at + 1 })}
                icon={ArrowUp}
                off={at === 0}
                run={() => move(at, at - 1)}
              />
              <IconButton
                label={t("item.down", { n: at + 1 })}
                icon={ArrowDown}
                off={at === items.length - 1}
                run={() => move(at, at + 1)}
              />
              <IconButton
                label={t("item.remove", { n: at + 1 })}
                icon={Trash2}
                off={false}
                run={() => onChange(items.filter((_, other) => other !== at))}
              />
            </div>
          )}
        </div>
      ))}
      {isEditable && (
        <button type="button" onClick={() => onChange([...items, {}])}>
          <Icon of={Plus} />
          {t("item.add")}
        </button>
      )}
    </>
  );
}

function IconButton(props: {
  label: string;
  icon: typeof ArrowUp;
  off: boolean;
  run(): void;
}): VNode {
  return (
    <button
      type="button"
      class="icon"
      aria-label={props.label}
      disabled={props.off}
      onClick={props.run}
    >
      <Icon of={props.icon} />
    </button>
  );
}

function Inner(props: {
  field: Field;
  values: Values;
  isEditable: boolean;
  Nested: ControlProps["Nested"];
  onChange(values: Values | undefined): void;
}): VNode {
  const { field, values, isEditable, onChange, Nested } = props;
  const set = (name: string, value: unknown): void => {
    const { [name]: _old, ...others } = values;
    const next = value === undefined ? others : { ...values, [name]: value };
    onChange(Object.keys(next).length === 0 && field.type === "object" ? undefined : next);
  };
  return (
    <div class="stack">
      {field.fields
        .filter((inner) => isShown(inner, values))
        .map((inner) => (
          <Nested
            key={inner.name}
            field={inner}
            value={values[inner.name]}
            error={null}
            isEditable={isEditable}
            onChange={(value) => set(inner.name, value)}
          />
        ))}
    </div>
  );
}

function valuesOf(value: unknown): Values {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
