import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";

/** `http://localhost:…` in front of a site that is started later: passkeys belong to a host name. */
export interface NamedHost {
  url: string;
  /** Connects it with the site at this address. */
  lead(siteUrl: string): void;
  close(): void;
}

/** A port of localhost that passes connections on. */
export async function startNamedHost(): Promise<NamedHost> {
  let target = 0;
  const front = createServer((socket) => {
    const upstream = connect(target, "127.0.0.1");
    socket.on("error", () => upstream.destroy());
    upstream.on("error", () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  const { port } = front.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    lead: (siteUrl) => {
      target = Number(new URL(siteUrl).port);
    },
    close: () => void front.close(),
  };
}
