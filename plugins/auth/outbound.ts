/** What a call may cost, and where it may go. */
export interface OutboundLimits {
  timeoutMs: number;
  maxBytes: number;
}
/** A request of ours to a provider. */
export interface OutboundRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | URLSearchParams | null;
  signal?: AbortSignal;
}

/** For profiles, tokens and discovery documents. */
export const PROVIDER_LIMITS: OutboundLimits = { timeoutMs: 5_000, maxBytes: 1_048_576 };

/**
 * `fetch` that reads the whole body within the limits and follows no redirect: an address of the
 * configuration is called, and nothing it points at.
 */
export async function boundedFetch(
  url: string,
  request: OutboundRequest,
  limits: OutboundLimits,
): Promise<Response> {
  const signals = [
    AbortSignal.timeout(limits.timeoutMs),
    ...(request.signal ? [request.signal] : []),
  ];
  const response = await fetch(url, {
    method: request.method ?? "GET",
    headers: { ...request.headers },
    body: request.body ?? null,
    redirect: "manual",
    signal: AbortSignal.any(signals),
  });
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    throw new TypeError(`redirected with status ${response.status}`);
  }
  const bytes = await readLimited(response, limits.maxBytes);
  const isEmpty = response.status === 204 || response.status === 304;
  return new Response(isEmpty ? null : bytes, {
    status: response.status,
    headers: plainHeaders(response.headers),
  });
}

async function readLimited(response: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    size += part.value.length;
    if (size > maxBytes) {
      await reader?.cancel();
      throw new TypeError(`answered with more than ${maxBytes} bytes`);
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}

/** The body is decoded already: its encoding and length are no longer true. */
function plainHeaders(headers: Headers): Headers {
  const plain = new Headers(headers);
  for (const name of ["content-encoding", "content-length", "transfer-encoding"])
    plain.delete(name);
  return plain;
}
