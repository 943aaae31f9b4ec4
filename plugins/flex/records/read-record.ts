import { fieldTexts } from "#kernel/internal";
import type { FlexType } from "../contract.js";
import type { FileProblem } from "../types/type-schema.js";
import { readYamlMap, type YamlResult } from "./read-yaml.js";
import { toStoredRecord, type RecordIdentity, type StoredRecord } from "./record-file.js";

/** A record from the text of its file, in the version that the text has. */
export function readRecord(text: string, identity: RecordIdentity): StoredRecord | FileProblem {
  const source = readSource(text, identity.type);
  if (!source.ok) return { code: "ERR_FLEX_YAML", message: source.message, line: source.line };
  return toStoredRecord(source.value, identity);
}

/** The values of a record's file; fields of a text kind are the texts in the file: `1.10`, not 1.1. */
export function readSource(text: string, { fields }: Pick<FlexType, "fields">): YamlResult {
  const yaml = readYamlMap(text);
  return yaml.ok ? { ...yaml, value: fieldTexts(fields, yaml.value, yaml.texts) } : yaml;
}
