/** A refusal in the server's words: what a handler throws instead of answering. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly status: number,
    readonly code: string,
    readonly msg: string,
    /** Further members of the error object. */
    readonly fields: Record<string, unknown> = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(msg);
  }
}

/** The commonest refusal: 400 with `BAD_REQUEST`. */
export const refused = (msg: string, fields?: Record<string, unknown>): ApiError =>
  new ApiError(400, "BAD_REQUEST", msg, fields);

export const mustBe = (role: "administrator" | "owner"): ApiError =>
  new ApiError(400, "UNAUTHORIZED_PRINCIPAL", `Must be an organization ${role}`);

/** The server breaks: 500 without a code. What was done before stays done. */
export class Broken extends Error {
  override readonly name = "Broken";
}
