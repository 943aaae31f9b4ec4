import { existsSync } from "node:fs";
import { join } from "node:path";
import { relationKind } from "#kernel/internal";
import type { Relations, ContentService } from "../../content/contract.js";
import type { FlexFieldError, FlexType } from "../contract.js";
import { isFlexName } from "../records/flex-files.js";

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

/** Adds the kinds `record` and `records`; `folder`: absolute path of the records. */
export function addRecordKinds(content: ContentService, folder: string): void {
  const form = (key: string): string | null =>
    key.split("/").length <= 2 && key.split("/").every(isFlexName)
      ? null
      : "must be the id of a record, or its type and id: product/chair.";
  content.addFieldKind("record", relationKind({ target: "record", isList: false, form }));
  content.addFieldKind("records", relationKind({ target: "record", isList: true, form }));
  content.relations.addTarget("record", (key, of) => {
    const [first = "", second] = key.split("/");
    const [only] = of;
    const type = second === undefined ? (of.length === 1 ? only : undefined) : first;
    if (type === undefined || (of.length > 0 && !of.includes(type))) return false;
    return existsSync(join(folder, type, `${second ?? first}.yaml`));
  });
}
