import type { VNode } from "preact";
import type { RecordType } from "../../api/records.js";
import { may } from "../../api/session.js";
import { FieldInput } from "../../parts/fields/field-input.js";
import { isShown } from "../../parts/fields/is-shown.js";
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
  const shown = [
    ...type.fields.filter((field) => isShown(field, values)),
    ...(hasOwn ? [] : [published]),
  ];
  return (
    <>
      {shown.map((field, at) => (
        <div key={field.name} class="stack">
          {field.group !== "" && field.group !== shown[at - 1]?.group && <h2>{field.group}</h2>}
          <FieldInput
            field={field}
            value={values[field.name]}
            error={messageOf(errors, field.name)}
            isEditable={may("flex.write") && (field !== published || may("pages.publish"))}
            onChange={(value) => onChange(field.name, value)}
          />
        </div>
      ))}
    </>
  );
}

/** The message of a field, or of one inside it: `steps.2.title`. */
function messageOf(
  errors: readonly { field: string; message: string }[],
  name: string,
): string | null {
  const found = errors.find(({ field }) => field === name || field.startsWith(`${name}.`));
  return found?.message ?? null;
}
