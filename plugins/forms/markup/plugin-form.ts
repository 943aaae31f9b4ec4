/** Forms of other plugins. */
import { SiteError, type FieldKinds } from "#kernel";
import { readFields, formatFieldProblem } from "#kernel/internal";
import type { PluginForm } from "../contract.js";
import { checkValues } from "../receive/check-values.js";
import { errorTexts } from "./error-text.js";
import { formHtml } from "./form-html.js";

/** What a form is made from. */
export interface PluginFormParts {
  readonly name: string;
  readonly kinds: FieldKinds;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly submit: string;
}

/** @throws ERR_FORMS_DEFINITION for invalid fields. */
export function pluginForm({
  name,
  kinds,
  fields: definitions,
  submit,
}: PluginFormParts): PluginForm {
  const { fields, problems } = readFields(definitions, kinds);
  const [problem] = problems;
  if (problem !== undefined) {
    const message = `form ${name}: ${formatFieldProblem(problem)}`;
    throw new SiteError("ERR_FORMS_DEFINITION", message, { fix: "correct the field" });
  }
  return {
    html: (state) => formHtml({ form: { name, fields, submit }, ...state }),
    check: (sent, t) => {
      const { values, errors } = checkValues({ fields }, sent);
      return { values, errors: errorTexts(t, fields, errors) };
    },
  };
}
