/** The level whose rules were tried on a server. Below it other rules hold; above it, what is documented is taken. */
export const firstLevel = 371;
