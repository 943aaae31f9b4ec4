/** The facts of a finished request; every text has few possible values. */
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
