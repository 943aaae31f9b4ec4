import type { VNode } from "preact";
import type { RecordType } from "../../api/content/records.js";
import { may } from "../../api/session.js";
import { FieldInput } from "../../parts/fields/field-input.js";
import { FieldSet } from "../../parts/fields/field-set.js";
import { plainField } from "../../parts/fields/plain-field.js";
import { t } from "./records-texts.js";

/** The fields of a record with what the server found wrong, and whether visitors see it. */
export function RecordFields(props: {
  type: RecordType;
  values: Readonly<Record<string, unknown>>;
  errors: readonly { field: string; message: string }[];
  onChange(name: string, value: unknown): void;
}): VNode {
  const { type, values, errors, onChange } = props;
  const published = {
    ...plainField("published", "toggle", t("published")),
    help: t("published.help"),
  };
  const hasOwn = type.fields.some(({ name }) => name === "published");
  return (
    <FieldSet
      fields={hasOwn ? type.fields : [...type.fields, published]}
      values={values}
      errors={errors}
      isEditable={(field) => may("flex.write") && (field !== published || may("pages.publish"))}
      heading="h2"
      Input={FieldInput}
      onChange={onChange}
    />
  );
}
