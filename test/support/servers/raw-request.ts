import { connect } from "node:net";

/** A response as received. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Everything received, including a second response on the same connection. */
  text: string;
}

/** Sends bytes unchanged, which clients would normalise, and reads until the connection ends or is idle. */
export async function rawRequest(
  url: string,
  bytes: string | Buffer,
  restMs = 300,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const end = (): void => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString("latin1"));
    };
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      socket.setTimeout(restMs);
    });
    socket.setTimeout(3_000);
    socket.on("timeout", end);
    socket.on("end", end);
    socket.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNRESET" || error.code === "EPIPE" ? end() : reject(error),
    );
    socket.write(bytes);
  });
  return parseAnswer(text);
}

function parseAnswer(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { status: Number(statusLine.split(" ")[1]), headers, body: rest.join("\r\n\r\n"), text };
}

/** `GET target` with the required headers. */
export function getLine(target: string, headers: readonly string[] = []): string {
  return [
    `GET ${target} HTTP/1.1`,
    "Host: localhost",
    ...headers,
    "Connection: close",
    "",
    "",
  ].join("\r\n");
}
