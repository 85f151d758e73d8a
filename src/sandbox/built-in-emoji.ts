/** Names of emoji that every organization has: some of a server's thousands. */
const names = `
+1 -1 100 1234 airplane alarm_clock alien ambulance anchor angel anger angry ant apple arrow_down arrow_left arrow_right
arrow_up art baby balloon banana bank battery bear bee beer bell bike bird birthday black_circle blank blossom blue_book
blush boat bomb book bookmark books bookmark boom bow bread briefcase broken_heart bug bulb bus butterfly cactus cake
calendar camera candle candy car cat check check_mark checkered_flag cheese cherry_blossom chicken clap clipboard clock
cloud clown coffee computer confetti confused construction cookie cool cow crab credit_card crown cry dancer dash diamond
dizzy dog dollar dolphin door dove dragon droplet duck ear earth_africa egg eight elephant email envelope euro eyes
facepalm factory family fearful fire first_place fish fist five flag flushed fog football fork_and_knife four fox frog
fries frown gear gem ghost gift globe goat grapes grinning guitar hammer hammer_and_wrench hamster hand handshake heart
hearts high_voltage hospital hot hotel hourglass house hug ice_cream idea information_source innocent island joy key
keyboard kiss knife ladybug laptop laughing leaf lemon light_bulb link lion lips lock locked lollipop loudspeaker
magnet mail_sent mailbox map medal megaphone memo microphone microscope money moon mouse mouth movie_camera mushroom music
nerd newspaper night nine nose no_entry octopus office ok omg one orange owl package page palm_tree panda paperclip party
peace_sign peach pear pen pencil penguin phone pig pill pin pizza plug point_down point_left point_right point_up police
potato pray present printer purse pushpin question rabbit radio rainbow rat ribbon rice road robot rocket rolling_on_the_floor_laughing
rose sad sailboat satellite scissors scream search second_place seedling seven shark sheep ship shirt shoe shrug siren
six skull sleeping slice smile smiley smirk snail snake snowflake snowman soccer sparkles speech_balloon spider star
star_struck stopwatch strawberry sun sunflower sunglasses sunny sushi sweat sweat_smile taco tada target taxi tea telephone
telescope tennis tent thinking third_place three thumbs_down thumbs_up tiger time toilet tomato tongue tools tractor train
tree trophy truck trumpet tulip turtle tv two umbrella unicorn unlocked upside_down video_camera violin wand warning watch
watermelon wave whale wheel white_circle wind wine wink wolf working_on_it world_map worried wrench x yen zap zero zzz`;

export const builtInEmoji: ReadonlySet<string> = new Set(names.trim().split(/\s+/));
