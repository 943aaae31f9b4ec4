/** The label of a setting, and the sentence below it. */
export interface SettingText {
  readonly title: string;
  /** Absent in English: the schema has it. */
  readonly description?: string;
}

/** A key ends like others of its kind (`*.bucket`); keys of admin.yaml may stand below `admin` in site.yaml. */
export function catalogText(
  texts: ReadonlyMap<string, SettingText>,
  key: string,
  plugin = "",
): SettingText | undefined {
  if (plugin !== "") return texts.get(`${plugin}:${key}`);
  const own = key.startsWith("admin.") ? key.slice("admin.".length) : key;
  return texts.get(own) ?? texts.get(`*.${own.slice(own.lastIndexOf(".") + 1)}`);
}
