/** Names of types and ids of records: safe as parts of a path and of an address. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** True for a valid name of a type or id of a record. */
export function isFlexName(name: string): boolean {
  return NAME.test(name);
}

/** The stem of a YAML file's name when it is valid, else null. */
export function flexNameOf(fileName: string): string | null {
  const stem = fileName.endsWith(".yaml") ? fileName.slice(0, -".yaml".length) : "";
  return isFlexName(stem) ? stem : null;
}
