/** A plan with more changes shows the details of destructive ones alone, unless all are wanted. */
export const maxDetailed = 50;

/** The largest number of names of changes without details. */
export const mostNames = 40;
