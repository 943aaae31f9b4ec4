// One peer on a free port: `static` (express.static), `ipx` (its Node server), `sharp` (node:http and
// bare sharp: read, resize, send). Reads originals from a folder.
import { createServer } from "node:http";
import { join } from "node:path";

const [kind, folder] = process.argv.slice(2);

const listeners = {
  static: async () => {
    const { default: express } = await import("express");
    return express().use(express.static(folder, { maxAge: "1h" }));
  },
  ipx: async () => {
    const { createIPX, createIPXNodeServer, ipxFSStorage } = await import("ipx");
    return createIPXNodeServer(createIPX({ storage: ipxFSStorage({ dir: folder }) }));
  },
  sharp: async () => {
    const { default: sharp } = await import("sharp");
    sharp.cache(false);
    return async (req, res) => {
      const url = new URL(req.url, "http://localhost");
      const image = sharp(join(folder, url.pathname))
        .autoOrient()
        .resize(Number(url.searchParams.get("w")));
      const format = url.searchParams.get("f");
      const bytes = await image
        .toFormat(format, { quality: 80, ...(format === "avif" && { effort: 2 }) })
        .toBuffer();
      res.writeHead(200, { "Content-Type": `image/${format}`, "Content-Length": bytes.length });
      res.end(bytes);
    };
  },
};

const server = createServer(await listeners[kind]());
server.listen(0, "127.0.0.1", () => process.stdout.write(`listening ${server.address().port}\n`));
process.on("SIGTERM", () => process.exit(0));
