/**
 * A load generator that costs little: requests over kept-alive connections, one at a time on each. Of a response
 * it reads the status and the length, nothing else.
 */
import { connect } from "node:net";

const HEAD_END = "\r\n\r\n";

/** Asks `port` for all paths; resolves when each has been responded to. @throws for any status but 200. */
export async function requestAll(
  port: number,
  paths: readonly string[],
  connections: number,
): Promise<void> {
  const queue = paths.values();
  await Promise.all(Array.from({ length: connections }, () => drain(port, queue)));
}

function drain(port: number, queue: Iterator<string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let missing = 0;
    const next = (): void => {
      const { done, value } = queue.next();
      if (done === true) {
        socket.end();
        return resolve();
      }
      socket.write(`GET ${value} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    };
    let head = "";
    socket.on("connect", next);
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      if (missing === 0) {
        head += chunk.toString("latin1");
        const end = head.indexOf(HEAD_END);
        if (end < 0) return;
        missing = lengthOf(head, end);
        missing -= head.length - end - HEAD_END.length;
        head = "";
      } else missing -= chunk.length;
      if (missing === 0) next();
    });
  });
}

/** Length of the body. */
function lengthOf(text: string, end: number): number {
  const head = text.slice(0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (!head.startsWith("HTTP/1.1 200 ") || length === undefined) throw new Error(head);
  return Number(length);
}
