import { WebSocket } from "ws";

/** The response of a WebSocket to a message; rejects when the connection is closed before. */
export function said(url: string, message: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const client = new WebSocket(url);
    client.on("open", () => client.send(message));
    client.on("message", (data: Buffer) => {
      resolve(data.toString());
      client.close();
    });
    client.on("error", reject);
    client.on("close", () => reject(new Error("closed")));
  });
}
