import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { atomicWrite } from "#kernel";
import { isTemporary, makeFolder } from "#lib/files";
import type { MediaService } from "../media/contract.js";
import type { SendTo, UploadFiles } from "./contract.js";

/** Uploads as files of a folder. */
export class FolderUploads implements UploadFiles {
  readonly #folder: string;
  readonly #media: Pick<MediaService, "sendFile">;

  /** `folder`: `data/uploads`; created with the first upload. */
  constructor(folder: string, media: Pick<MediaService, "sendFile">) {
    this.#folder = folder;
    this.#media = media;
  }

  /** Readable for other programs, such as a server in front; the folder above is created private. */
  async put(name: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    await makeFolder(dirname(this.#folder));
    await atomicWrite(join(this.#folder, name), bytes, { access: "shared" });
  }

  async delete(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }

  async totalBytes(): Promise<number> {
    let total = 0;
    for (const name of await namesIn(this.#folder)) {
      const found = await stat(join(this.#folder, name)).catch(() => null);
      total += found?.size ?? 0;
    }
    return total;
  }

  async sweep(): Promise<void> {
    const left = (await namesIn(this.#folder)).filter((name) => isTemporary(name));
    await Promise.all(left.map((name) => rm(join(this.#folder, name), { force: true })));
  }

  send(name: string, { req, res, type, headers }: SendTo): Promise<boolean> {
    const wanted = { root: this.#folder, file: join(this.#folder, name), type, headers };
    return this.#media.sendFile(req, res, wanted);
  }
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
