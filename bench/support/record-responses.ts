/** A response to be sent by `raw-server.mjs`. */
export interface RecordedResponse {
  path: string;
  headers: Record<string, string>;
  /** Base64. */
  body: string;
}

const hopByHop = ["connection", "date", "keep-alive", "transfer-encoding"];

/** The uncompressed responses of a site to paths. @throws Error for one that is not 2xx. */
export function recordResponses(
  url: string,
  paths: readonly string[],
): Promise<RecordedResponse[]> {
  return Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(url + path, { headers: { "Accept-Encoding": "identity" } });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      const headers = Object.fromEntries(
        [...answer.headers].filter(([name]) => !hopByHop.includes(name)),
      );
      return { path, headers, body: Buffer.from(await answer.arrayBuffer()).toString("base64") };
    }),
  );
}
