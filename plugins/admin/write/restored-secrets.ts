/** Secrets of settings that a client only knows masked: they stay when it sends them back unchanged. */
import { HttpError, isRecord } from "#kernel";
import { isEqualValue } from "#lib/yaml";
import { holdsMask, schemaAt, withoutSecrets } from "./settings-gate.js";

/** A dotted key with its new value. */
interface SettingChange {
  readonly key: string;
  readonly value: unknown;
}

/** What the masked values of changes stand for. */
interface MaskedSettings {
  /** The values before the changes, with their secrets. */
  readonly values: unknown;
  /** JSON Schema of the values. */
  readonly schema: unknown;
}

/** Why a change is rejected that contains the mask of a secret. */
export const MASKED =
  "a masked value cannot be saved, nor an entry of a list that was changed beside it: enter the secret again, or refer to a variable such as $API_KEY";

/**
 * The changes with the secrets of the entries of lists and maps that are the same as before; their order may differ. An
 * entry with another value, such as another address, needs its secret again.
 * @throws HttpError 400 for another masked value, and for one of several equal entries with different secrets.
 */
export function restoreSecrets(
  changes: readonly SettingChange[],
  { values, schema }: MaskedSettings,
): SettingChange[] {
  return changes.map(({ key, value }) => {
    if (!holdsMask(value)) return { key, value };
    const path = key.split(".");
    const before = path.reduce<unknown>(
      (at, name) => (isRecord(at) ? at[name] : undefined),
      values,
    );
    const masked = withoutSecrets(before, schemaAt(schema, path), path.at(-1));
    return { key, value: restore(value, before, masked) };
  });
}

/** A list or map whose masked entries are replaced by those of `before`; `masked` is `before` as clients see it. */
function restore(value: unknown, before: unknown, masked: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(before) && Array.isArray(masked)) {
    return value.map((item: unknown) => {
      if (!holdsMask(item)) return item;
      const same = before.filter((_, at) => isEqualValue(masked[at], item));
      // One that was changed into another one is not that one.
      const sent = value.filter((one) => isEqualValue(one, item));
      return theOnly(sent.length > same.length ? [] : same);
    });
  }
  if (isRecord(value) && isRecord(before) && isRecord(masked)) {
    const entries = Object.entries(value).map(([name, item]) => {
      const isSame = isRecord(item) && isEqualValue(masked[name], item);
      return [name, holdsMask(item) ? theOnly(isSame ? [before[name]] : []) : item];
    });
    return Object.fromEntries(entries);
  }
  throw new HttpError(400, MASKED);
}

function theOnly(all: readonly unknown[]): unknown {
  const [first, ...others] = all;
  const isClear = first !== undefined && others.every((other) => isEqualValue(first, other));
  if (!isClear) throw new HttpError(400, MASKED);
  return first;
}
