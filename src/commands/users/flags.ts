/** By parameter of the list of people, the flags that stand for it. */
export const listFlags = {
  user_ids: "--ids",
  client_gravatar: "--client-gravatar",
  include_custom_profile_fields: "--include-custom-profile-fields",
} as const;
