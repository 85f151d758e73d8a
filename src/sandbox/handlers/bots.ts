/** Bots. A refusal does not undo the steps before it. */

import { createBot, deactivateBot, getBotKey, getBots, regenerateBotKey, updateBot } from "../../api/bots.ts";
import { strip } from "../../common/folding.ts";
import { nameOf } from "../../common/object-members.ts";
import { botKinds } from "../../model/bot.ts";
import { roles } from "../../model/person.ts";
import { canCreateBot, insufficientPermission, readableChannel } from "../access.ts";
import { badRequest, InternalError } from "../answers.ts";
import { avatarUrl } from "../avatars.ts";
import { aRole, aString, type Check, dictOf, fromJson } from "../decode.ts";
import { botDefaults, botSettings, sendBotChanged, sendBotCreated } from "../events/bots.ts";
import * as events from "../events/users.ts";
import { addUser } from "../organization.ts";
import { checkPicture } from "../pictures.ts";
import { type HandlerCall, on } from "../router.ts";
import { type BotSettings, findChannel, isAdministrator, isBot, type StoredUser, visibleEmail } from "../state.ts";
import { accountWithAddress, botDomain, isNameTaken, isServerAddress, isUrl, randomText } from "../text.ts";
import { checkRole, fullName, setRole } from "./people.ts";

const interfaces = [1, 2];

/** Integrations that require the option `branches`. */
const integrationsWithBranches = "azuredevops bitbucket2 bitbucket3 gitea github gitlab gogs rhodecode".split(" ");

const aUrl: Check<string> = (value, path) => {
  const text = aString(value, path);
  if (!isUrl(text)) throw badRequest(`Invalid ${path}: Value error, Not a URL`);
  return text;
};

/** The bot of that id, if the caller owns or administers it. */
function botToAdminister({ state, caller }: HandlerCall, id: number): StoredUser {
  const bot = state.users.get(id);
  if (!bot || !isBot(bot)) throw badRequest("No such bot");
  if (bot.bot_owner_id !== caller.user_id && !isAdministrator(caller)) throw insufficientPermission();
  return bot;
}

/** Puts the local part in quotes if it has special characters. */
function addressOf({ state }: HandlerCall, shortName: string): string {
  const name = `${shortName}-bot`;
  const local = /[()<>@,:;"[\]\\ \t]/.test(name) ? `"${name.replace(/["\\]/g, "\\$&")}"` : name;
  return `${local}@${botDomain(state)}`;
}

/** The channel of that name, if the caller can read it. */
const channelOf = (call: HandlerCall, name: string): number =>
  readableChannel(call, findChannel(call.state, name), `Invalid channel name '${name}'`).stream_id;

const isTooLarge = (configuration: Record<string, string>): boolean =>
  Object.entries(configuration).flat().join("").length > 10_000;

function checkConfiguration(service: string, { branches }: Record<string, string>): void {
  if (!integrationsWithBranches.includes(service)) throw badRequest(`Invalid integration '${service}'.`);
  if (branches === undefined) throw badRequest("Missing configuration parameters: {'branches'}");
  throw badRequest(`Invalid branches value ${branches} (${branches})`);
}

function setPicture(call: HandlerCall, bot: StoredUser): void {
  const [file, another] = call.files;
  if (another) throw badRequest("You may only upload one file at a time");
  if (!file) return;
  checkPicture(file);
  bot.avatar_source = "upload";
  bot.avatar_version += 1;
  events.sendPictureChanged(call, bot);
}

function setOwner(call: HandlerCall, bot: StoredUser, id: number): void {
  const owner = call.state.users.get(id);
  if (!owner) throw badRequest("Failed to change owner, no such user");
  if (!owner.is_active) throw badRequest("Failed to change owner, user is deactivated");
  if (isBot(owner)) throw badRequest("Failed to change owner, bots can't own other bots");
  const before = bot.bot_owner_id;
  if (before === id) return;
  bot.bot_owner_id = id;
  events.sendOwnerChanged(call, bot, before);
}

/** Unlike a new bot, it may have any name that is not blank. */
function setAddress(call: HandlerCall, bot: StoredUser, shortName: string): void {
  const short = strip(shortName);
  const address = addressOf(call, short);
  if (short === "") throw badRequest("Bad name or username");
  if (address === bot.delivery_email) return;
  const other = accountWithAddress(call.state, address);
  if (other && other !== bot) throw badRequest("Email address already in use");
  bot.delivery_email = address;
  events.sendAddressChanged(call, bot);
}

function setService(call: HandlerCall, bot: StoredUser, base_url: string, format: number): void {
  if (!interfaces.includes(format)) throw badRequest("Invalid interface type");
  const [service] = botSettings(bot).services;
  if (bot.bot_type !== botKinds["outgoing-webhook"] || !service) throw new InternalError();
  setSettings(call, bot, { services: [{ ...service, base_url, interface: format }] });
}

function setConfiguration(call: HandlerCall, bot: StoredUser, configuration: Record<string, string>): void {
  if (Object.keys(configuration).length === 0 || isTooLarge(configuration)) throw new InternalError();
  setSettings(call, bot, { services: [{ config_data: configuration }] });
}

/** `shown` is sent in the event. */
function setSettings(call: HandlerCall, bot: StoredUser, changes: Partial<BotSettings>, shown: object = changes): void {
  bot.bot_settings = { ...botSettings(bot), ...changes };
  sendBotChanged(call, bot, shown);
}

export const botRoutes = [
  on(getBots, { silent: true }, ({ state, caller }) => {
    const bots = [...state.users.values()].filter((each) => each.bot_owner_id === caller.user_id && each.is_active);
    return {
      bots: bots.map((bot) => ({
        username: bot.delivery_email,
        full_name: bot.full_name,
        api_key: bot.api_key,
        avatar_url: avatarUrl(bot, false),
        ...botDefaults(state, bot),
      })),
    };
  }),

  on(createBot, { decode: { payload_url: fromJson(aUrl), config_data: fromJson(dictOf(aString)) } }, (call, args) => {
    const { state, caller, now, random, files } = call;
    const { bot_type = botKinds.generic, interface_type = 1, service_name, config_data = {}, payload_url } = args;
    const kind = nameOf(botKinds, bot_type);
    const short = strip(args.short_name);
    if (short === "") throw badRequest("Bad name or username");
    const full_name = fullName(call, args.full_name);
    const address = addressOf(call, short);
    if (!isServerAddress(address)) throw badRequest("Bad name or username");
    if (kind === "embedded") throw badRequest("Embedded bots are not enabled.");
    if (accountWithAddress(state, address)) throw badRequest("Email is already in use.");
    if (isNameTaken(state, full_name)) throw badRequest("Name is already in use.");
    if (!canCreateBot(state, caller, bot_type)) throw insufficientPermission();
    if (!kind) throw badRequest("Invalid bot type");
    if (!interfaces.includes(interface_type)) throw badRequest("Invalid interface type");
    if (files.length > 1) throw badRequest("You may only upload one file at a time");
    const channel = (name: string | undefined) => (name === undefined ? null : channelOf(call, name));
    const settings: BotSettings = {
      default_sending_stream: channel(args.default_sending_stream),
      default_events_register_stream: channel(args.default_events_register_stream),
      default_all_public_streams: args.default_all_public_streams ?? false,
      services: [],
    };
    if (kind === "incoming-webhook" && service_name) checkConfiguration(service_name, config_data);
    const values = { delivery_email: address, full_name, role: roles.member, bot_type, bot_owner_id: caller.user_id };
    const bot = addUser(state, { now, random }, { ...values, bot_settings: settings });
    events.sendUserCreated(call, bot);
    setPicture(call, bot);
    if (kind === "outgoing-webhook") {
      const token = randomText(random, 32);
      settings.services = [{ base_url: payload_url ?? "", interface: interface_type, token }];
    }
    if (kind === "incoming-webhook" && isTooLarge(config_data)) throw new InternalError();
    sendBotCreated(call, bot);
    const { user_id, api_key } = bot;
    return { user_id, api_key, avatar_url: avatarUrl(bot, false), ...botDefaults(state, bot) };
  }),

  on(
    updateBot,
    {
      decode: { role: fromJson(aRole), service_payload_url: fromJson(aUrl), config_data: fromJson(dictOf(aString)) },
    },
    (call, { bot_id, full_name, short_name, role, bot_owner_id, service_interface = 1, ...changes }) => {
      const { state } = call;
      const { service_payload_url, config_data, default_all_public_streams } = changes;
      const bot = botToAdminister(call, bot_id);
      if (short_name !== undefined) setAddress(call, bot, short_name);
      const name = full_name === undefined ? bot.full_name : fullName(call, full_name, bot);
      if (name !== bot.full_name) {
        if (isNameTaken(state, name)) throw badRequest("Name is already in use.");
        bot.full_name = name;
        events.sendNameChanged(call, bot);
      }
      if (role !== undefined && role !== bot.role) {
        checkRole(call, bot, role);
        setRole(call, bot, role);
      }
      if (bot_owner_id !== undefined) setOwner(call, bot, bot_owner_id);
      for (const name of ["default_sending_stream", "default_events_register_stream"] as const) {
        const channel = changes[name];
        if (channel === undefined) continue;
        setSettings(call, bot, { [name]: channel ? channelOf(call, channel) : null }, { [name]: channel || null });
      }
      if (default_all_public_streams !== undefined) setSettings(call, bot, { default_all_public_streams });
      if (service_payload_url !== undefined) setService(call, bot, service_payload_url, service_interface);
      if (config_data !== undefined) setConfiguration(call, bot, config_data);
      setPicture(call, bot);
      const owner = state.users.get(bot.bot_owner_id ?? 0);
      return {
        full_name: bot.full_name,
        avatar_url: avatarUrl(bot, false),
        service_interface,
        service_payload_url: service_payload_url ?? null,
        config_data: config_data ?? null,
        ...botDefaults(state, bot),
        bot_owner: owner && visibleEmail(state, owner),
      };
    },
  ),

  on(deactivateBot, { who: "anybody", silent: true }, (call, { bot_id }) => {
    const bot = botToAdminister(call, bot_id);
    if (bot.is_active) {
      bot.is_active = false;
      events.sendDeactivated(call, bot);
    }
  }),

  on(regenerateBotKey, {}, (call, { bot_id }) => {
    const bot = botToAdminister(call, bot_id);
    bot.api_key = randomText(call.random, 32);
    sendBotChanged(call, bot, { api_key: bot.api_key });
    return { api_key: bot.api_key };
  }),

  on(getBotKey, {}, (call, { bot_id }) => ({ api_key: botToAdminister(call, bot_id).api_key })),
];
