/** Changes that an upgrade makes to the configuration of a site. */
import { satisfies } from "#lib/versions";
import { type ConfigFile, ConfigFileWriter } from "#kernel";

/** A change of one configuration file that a version needs. */
export interface Migration {
  /** The first version that needs it. */
  readonly version: string;
  readonly file: ConfigFile;
  /** Its effect, in one sentence. */
  readonly summary: string;
  /** The keys that it replaces: `system.search.limit`. */
  readonly keys: readonly string[];
  /** The new text; `setYamlKey` keeps comments and order. A text without the keys stays as it is. */
  edit(text: string): string;
}

/** The migrations of this version and those before, in order. */
export const migrations: readonly Migration[] = Object.freeze([]);

/**
 * Migrates the configuration of a root from version `from`. Resolves with the summaries of those that
 * changed a file.
 * @throws ERR_CONFIG_KEY for a file that is not YAML, errors of the disk.
 */
export async function migrateConfig(
  root: string,
  from: string,
  list: readonly Migration[] = migrations,
): Promise<string[]> {
  const writer = new ConfigFileWriter(root);
  const done: string[] = [];
  for (const { version, file, summary, edit } of list) {
    if (!satisfies(from, `<${version}`, { includePrerelease: true })) continue;
    const before = await writer.read(file);
    if (!before.exists || edit(before.text) === before.text) continue;
    await writer.edit(file, ({ text }) => edit(text));
    done.push(summary);
  }
  return done;
}
