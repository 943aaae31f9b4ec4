import type { Relations } from "../../content/contract.js";
import type { FlexFieldError, FlexType } from "../contract.js";

type Values = Readonly<Record<string, unknown>>;
/** What a record names in vain; `before`: the values of its file until now. */
export type MissingRelations = (
  type: FlexType,
  values: Values,
  before: Values | null,
) => Promise<readonly FlexFieldError[]>;

/** Finds relations of records that lead nowhere; `lang`: language of the pages that they name. */
export function missingRelations(
  relations: Pick<Relations, "missing">,
  lang: string,
): MissingRelations {
  return async ({ fields }, values, before) => {
    const found = await relations.missing({ fields, values, lang, before });
    return found.map((error) => ({ ...error, code: "ERR_FLEX_RELATION" }));
  };
}
