/** English verbs in their base form that statements about programs use: an open list, by which a plural is told from a verb. */
export const BASES: ReadonlySet<string> = new Set(
  `abort absorb abstract accept access accompany accumulate achieve acknowledge acquire act activate adapt add address adjust admit
  advance advertise affect aggregate agree aim alias align allocate allot allow alter amount annotate annul answer anticipate appear
  append apply approve archive arrange arrive ascend ask assemble assert assess assign assist associate assume attach attempt attest
  attribute augment authenticate authorize avoid await awaken back backfill backtrack balance ban batch bear beat begin behave
  belong bend bind blend blink block blow boost boot borrow bother bounce bound branch break bring broadcast buffer build bump
  bundle burn burst buy bypass cache calculate calibrate call cancel canonicalise canonicalize cap capitalise capitalize capture
  carry cascade cast catch cause cease chain challenge change check choose chop chunk circulate cite claim clamp clarify clash
  classify clean cleanse clear click clip clobber clone close coerce coincide collapse collect collide combine come comment commit
  communicate compare compensate compete compile complain complete compose compress comprise compromise compute concatenate conceal
  concern conclude configure confine confirm conflict conform confuse congest conjoin connect consider consist constrain construct
  consult consume contain contend continue contradict contrast contribute control convert cooperate coordinate copy correspond
  corrupt cost count cover crash crawl create credit crop cross crunch curl customise customize cut cycle damage deactivate deadlock
  debit debounce decay decide declare decline decode decouple decrease decrement decrypt deduct dedupe deem deepen default defeat
  defer define deflate delay delegate delete delimit deliver demand denote deny depend deploy deposit deprecate derail deref
  dereference derive descend describe deserialize deserve design destroy detach detect deteriorate determine develop deviate devote
  dictate differ dilute diminish dip direct disable disagree disallow disappear discard disconnect discover discriminate dismiss
  dispatch display dispose disregard disrupt dissolve distinguish distort distribute disturb diverge divert divide document dominate
  double downgrade download drain draw drift drive drop drown dry dump duplicate dwell earn ease echo edit eject elapse elevate
  elide eliminate embed emerge emit emphasise employ emulate enable encapsulate encode encounter encourage encrypt end endure
  enforce engage enhance enlarge enqueue enrich enroll ensue ensure entail enter enumerate equal erase erode err escalate escape
  establish estimate evaluate evict evolve examine exceed except exchange exclude execute exhaust exhibit exist exit expand expect
  expire explain export expose express extend extract extrapolate face factor fade fail fall falsify fan feed fetch fight fill
  filter finalise finalize find finish fire fit flag flatten flip float flood floor flow flush focus fold follow fool forbid force
  forfeit forget forgive fork form format forward foster freeze fulfil fulfill function fuse gain gather generate get give glob glue
  go govern grab grade grant grind group grow guarantee guard gzip halt halve hamper handle hang happen harden harm hash haunt have
  heal heap help hide hinder hint hit hold honor honour hook hop host hover hurt hydrate identify idle ignore illustrate imitate
  impact impair impede implement imply import impose improve include incorporate increase increment incur indent indicate induce
  infer inflate influence inform inherit inhibit initialise initialize initiate inject inline inquire insert inspect install
  instantiate instruct insulate insure integrate intend interact intercept interfere interleave interpolate interpret interrupt
  intersect introduce invalidate invent inverse invert investigate invite invoke involve isolate iterate jam jitter join jump
  justify keep kick kill knock know label lack lag lapse last launch lead leak lease leave legalise lend lengthen let level leverage
  liberate lie lift lighten limit linger link lint list listen live load locate lock log look loop loosen lose lower lowercase
  magnify mail maintain make manage mandate mangle manifest manipulate map mark mask match materialise materialize matter maximise
  maximize mean measure memoize mention merge merit mess migrate mimic mind minify minimise minimize mirror misalign misbehave
  miscalculate miscount misdirect mishandle misinterpret mislead misname misparse misplace misread misreport misroute miss misspell
  mistake mistreat misuse mix mock moderate modify monitor mould mount move multiply mutate mute name narrow need negotiate nest
  normalise normalize notify nullify numerate obey obfuscate oblige obscure observe obstruct obtain obviate occupy occur offend
  offer offset omit open operate oppose opt optimise optimize order orient originate oscillate outdate outgrow outlive outnumber
  outpace outperform output outrank outrun outweigh overcome overcount overestimate overflow overhaul overlap overload overlook
  overpower override overrun oversee overshoot overtake overuse overwhelm overwrite owe own pace pack package pad paginate pair park
  parse partition pass patch penalise penalize penetrate perceive percolate perform perish permit permute perpetuate persist perturb
  phase pick pile pin pinpoint pipe pivot place plug plunge point poison police poll pollute ponder pool pop populate possess post
  postpone pour preallocate precede preclude precompute predate predict preempt prefer prefetch prefix prejudice preload prepare
  prepend prescribe preserve press presume presuppose prevail prevent print privilege proceed process produce profit program
  prohibit prolong promise prompt pronounce propagate propel propose protect prove provide provoke proxy prune publish pull pulse
  punish purge purify pursue push put quantify quarantine quell quench query queue quit quote race raise rank rate ratify reach
  react read reap rearrange reassemble reassign reassure rebase rebuild recalculate recall recapture recede receive recheck reclaim
  recognise recognize recombine recommend recompute reconcile reconnect reconstruct record recount recover recreate recurse recycle
  redeclare redeem redefine redeploy redirect redo redraw reduce reenable reenter reevaluate refactor refer reference refetch refill
  refine reflect reform refresh refund refuse regenerate register regress regulate reindex reinforce reinitialise reinitialize
  reinsert reinstall reinstate reintroduce reiterate reject relate relax relay release relieve relink reload relocate rely remain
  remap remark remember remind remit remount remove rename render renew renormalise renumber reopen reorder repair repeat repel
  rephrase replace replicate reply repopulate report represent repress reprint reproduce request require reread rerender rerun
  resample rescale rescue resemble resend reserve reset reside resist resolve resort respawn respect respond rest restart restate
  restore restrict resubmit result resume resurrect retain retire retract retrieve retry return reunite reuse revalidate reveal
  revert revive revoke revolve reword rewrite ring rip rise rival rob roll rotate round route rule run sacrifice sample sanitize
  satisfy saturate save say scale scan scatter schedule scope score scrape scratch scroll scrub seal search secure see seed seize
  select send sense separate sequence serialise serialize serve set shadow shape shard share sharpen shatter shed shield shift ship
  shoot shorten shout shove show shrink shuffle shunt shut sidestep sign signal silence simulate sink sit situate skew skip sleep
  slice slide slip slow smooth snap sniff soften solve sort sour source span spare spawn speak specialise specialize specify spell
  spend spill spin split spoil spoof spread squash squeeze stabilise stabilize stack stage stain stale stall stamp stand start
  starve stash state stay steal steer stem step stick stiffen stimulate stipulate stir stop store stream strengthen stress stretch
  stringify strip structure struggle stumble subdivide submit subscribe substitute subsume subtract succeed suffer suffice suggest
  suit sum summarise summarize supersede supplant supply support suppose suppress surface surpass surrender surround survive suspend
  sustain swallow swap sweep swell swing switch symlink sync synchronize synthesise tag tail tailor taint take tamper tap target
  tear tease tell tend tense terminate test thin thrash thread threaten thrive throttle throw tick tidy tie tighten tilt time toggle
  tokenise tokenize tolerate topple toss touch trace track trade train transcend transfer transform transition translate transmit
  transpile transpose trap travel traverse treat trigger trim triple trouble trump truncate trust tune turn twist type unbind
  unblock undercount underestimate underflow undergo underlie undermine understate undo unescape unfold unify uninstall unite unload
  unlock unmount unpack unregister unroll unset unsubscribe unwind unwrap unzip update upgrade uphold upload uppercase uproot urge
  use vacuum validate vanish vary venture verify version violate visit visualise void vote wait wake walk wander wane want warn warp
  warrant waste watch weaken wear weigh widen wield win wipe withdraw wither withhold witness work worsen wrap wreck write yield
  zero zip zoom`.split(/\s+/),
)
