/** State of a request that plugins share. */

/** The values of `req.ctx.state`; plugins add their keys (`siteUser`, `viewer`, …). */
export interface RequestState {}
