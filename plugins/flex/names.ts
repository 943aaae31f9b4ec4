/** Names of types and ids of records: safe as parts of a path and of an address. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** True for what a type or a record may be called. */
export function isFlexName(name: string): boolean {
  return NAME.test(name);
}

/** The stem of a YAML file's name when it is such a name, else null. */
export function flexNameOf(fileName: string): string | null {
  const stem = fileName.endsWith(".yaml") ? fileName.slice(0, -".yaml".length) : "";
  return isFlexName(stem) ? stem : null;
}
