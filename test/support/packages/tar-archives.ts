// Archives for tests of `site restore`, well-formed and hostile.
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { pack, type Headers as Header } from "tar-stream";

/** An entry; `sha256` and `size` in the manifest can differ from it. */
export interface TestEntry {
  name: string;
  body?: string | Buffer;
  header?: Partial<Header>;
  sha256?: string;
}
/** Changes of a well-formed archive. */
export interface ArchiveChanges {
  head?: Record<string, unknown>;
  /** Null: no manifest. */
  manifest?: Record<string, unknown> | null;
  /** After the manifest. */
  after?: readonly TestEntry[];
}

/** Writes an archive as `site backup` does, with changes. */
export async function writeTestArchive(
  file: string,
  entries: readonly TestEntry[],
  { head = {}, manifest = {}, after = [] }: ArchiveChanges = {},
): Promise<void> {
  const first = {
    name: "backup.json",
    body: JSON.stringify({
      format: 1,
      product: "sitewright",
      version: "0.4.0",
      secrets: false,
      createdAt: "2026-11-02T03:30:00.000Z",
      site: { title: "Test", url: "" },
      runtimeDir: ".dune/admin",
      ...head,
    }),
  };
  const leading: readonly TestEntry[] = [first, ...entries];
  const listed = leading.map(({ name, body = "", sha256 }) => ({
    path: name,
    size: Buffer.byteLength(body),
    sha256: sha256 ?? createHash("sha256").update(body).digest("hex"),
  }));
  const last = {
    name: "manifest.json",
    body: JSON.stringify({
      format: 1,
      files: listed,
      leftOut: [],
      consistent: true,
      schemas: { flex: {}, database: {} },
      ...manifest,
    }),
  };
  const all = [first, ...entries, ...(manifest === null ? [] : [last]), ...after];
  await writeFile(file, gzipSync(await tarOf(all)));
}

async function tarOf(entries: readonly TestEntry[]): Promise<Buffer> {
  const tar = pack();
  for (const { name, body = "", header } of entries) tar.entry({ name, ...header }, body);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
