/** The numbers that servers use for choices in settings of the organization, by their words. */

export const weekdays = { monday: 0, tuesday: 1, wednesday: 2, thursday: 3, friday: 4, saturday: 5, sunday: 6 };
export const callProviders = {
  disabled: 0,
  jitsi_meet: 1,
  zoom: 3,
  big_blue_button: 4,
  zoom_server_to_server: 5,
  constructor_groups: 6,
  nextcloud_talk: 7,
  webex: 8,
};
/** Older servers have other numbers, which they list. Only they have `y`. */
export const gifRatings = { disabled: 0, g: 1, pg: 2, "pg-13": 3, r: 4, y: 1 };
export const previewSizes = { small: 100, medium: 150, large: 200 };
export const organizationTypes = {
  unspecified: 0,
  business: 10,
  open_source: 20,
  education_nonprofit: 30,
  education_for_profit: 35,
  research: 40,
  event: 50,
  nonprofit: 60,
  government: 70,
  political_group: 80,
  community: 90,
  personal: 100,
  other: 1000,
};
