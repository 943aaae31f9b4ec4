/** What is known of a request when it has ended; every text is one of a small set. */
export interface EndedRequest {
  method: string;
  route: string;
  status: string;
  seconds: number;
}

/** Counts requests. */
export interface RequestMetrics {
  observe(request: EndedRequest): void;
}
