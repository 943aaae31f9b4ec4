import type { Operation } from "../openapi/contract.js";
import { schemaType } from "./json-schema-type.js";

/** The types of a call that follow from its arguments. */
export interface CallTypes {
  /** Type parameters: `<F extends …>`, or empty. */
  readonly generics: string;
  /** Types of parameters that are narrower than their schemas. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly answer: string;
}

const RECORDS = "/api/flex/{type}";
const ANY_ITEM = "{ readonly [name: string]: unknown }";
const F = "F extends string | undefined = undefined";
const T = "T extends string | undefined = undefined";
const R = "R extends keyof FlexRecords";

/** The types of an operation: lists of pages follow their template, records their type, items `fields`. */
export function callTypes(path: string, operation: Operation): CallTypes {
  if (path === `${RECORDS}/{id}`) {
    return { generics: `<${R}>`, parameters: { type: "R" }, answer: "FlexRecords[R]" };
  }
  if (path === RECORDS) return recordList();
  const forms = sparseForms(operation);
  if (forms === null) return { generics: "", parameters: {}, answer: answerText(operation) };
  const [whole, sparse] = forms;
  if (!hasTemplates(operation)) {
    const answer = `F extends string ? ${sparse} : ${whole}`;
    return { generics: `<${F}>`, parameters: { fields: "F" }, answer };
  }
  return {
    generics: `<${F}, ${T}>`,
    parameters: { fields: "F", template: "T", filter: "PageFilter<T>" },
    answer: `F extends string ? ${sparse.replace(ANY_ITEM, "SparsePage<T>")} : ${whole}`,
  };
}

/** Includes add names to records that their type does not have. */
function recordList(): CallTypes {
  const added = (type: string): string => `readonly (${type} & ${ANY_ITEM})[]`;
  return {
    generics: `<${R}, ${F}>`,
    parameters: { type: "R", fields: "F", filter: "RecordFilter<R>" },
    answer: `F extends string ? ${added("Partial<FlexRecords[R]>")} : ${added("FlexRecords[R]")}`,
  };
}

/** True for lists of pages, whose front matter follows from their template. */
function hasTemplates({ parameters = [] }: Operation): boolean {
  return parameters.some(({ name }) => name === "template");
}

/** The results of a list without and with `fields`, which makes items sparse. Null for others. */
function sparseForms({ parameters = [], responses }: Operation): readonly [string, string] | null {
  const schema = responses["200"]?.content?.["application/json"]?.schema;
  const forms = schema?.["anyOf"];
  const hasFields = parameters.some(({ name }) => name === "fields");
  if (!hasFields || !Array.isArray(forms) || forms.length !== 2) return null;
  const [whole, sparse]: readonly unknown[] = forms;
  return [schemaType(whole, "    "), schemaType(sparse, "    ")];
}

/** The result of a call: the JSON of a successful response, or `Response` without JSON. */
function answerText({ responses }: Operation): string {
  const texts = Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, { content }]) => {
      const json = content?.["application/json"];
      return json === undefined ? "Response" : schemaType(json.schema, "    ");
    });
  return texts.length === 0 ? "Response" : [...new Set(texts)].join(" | ");
}
