#include "stop_words.h"

#include <algorithm>
#include <unordered_set>

namespace {

struct StopList {
  const char* language;
  const char* words;  ///< separated by blanks and line breaks
};

// Articles, pronouns, prepositions, conjunctions, auxiliary verbs and the most common adverbs.
const StopList lists[] = {
    {"en",
     "a an am as at be by do go he if in is it me my no of on or so to up us we about above across after again "
     "against "
     "all almost alone along already also although always among and another any are around because been before "
     "behind "
     "being below beneath beside between beyond both but can cannot could did does doing done down during each "
     "either "
     "else even ever every few for from further had has have having hence her here hers herself him himself his how "
     "however indeed into its itself just least less many may might mine more most much must myself neither never "
     "nor "
     "not nothing now off often once one only onto other others our ours ourselves out over own per perhaps rather "
     "same "
     "several shall she should since some such than that the their theirs them themselves then there therefore these "
     "they this those though through thus together too toward towards two under until upon very via was well were "
     "what "
     "whatever when where whereas whether which while who whole whom whose why will with within without would yet "
     "you "
     "your yours yourself yourselves don't doesn't didn't can't couldn't won't wouldn't isn't aren't wasn't weren't "
     "hasn't haven't hadn't shouldn't mustn't i'm i've i'll i'd you're you've you'll you'd he's he'd he'll she's "
     "she'd "
     "she'll it's it'll we're we've we'll we'd they're they've they'll they'd that's there's here's what's who's "
     "let's"},
    {"de",
     "aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei "
     "beim "
     "bereits bin bis bist da dabei dadurch dafür dagegen daher damit danach daneben dann daran darauf daraus darin "
     "darum "
     "darüber darunter das dass davon davor dazu dein deine deinem deinen deiner dem den denen denn dennoch der "
     "deren "
     "derselbe des deshalb dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine "
     "einem "
     "einen einer eines einige einigen einiger er es etwa etwas euch euer eure für gegen gewesen hab habe haben hat "
     "hatte "
     "hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in indem ins ist ja jede jedem "
     "jeden "
     "jeder jedes jedoch jene jenem jenen jener jenes jetzt kann kein keine keinem keinen keiner können könnte man "
     "manche "
     "mehr mein meine meinem meinen meiner mich mir mit muss müssen nach nachdem neben nicht nichts noch nun nur ob "
     "oder "
     "ohne schon sehr sein seine seinem seinen seiner seines seit selbst sich sie sind so sobald solche sollen "
     "sollte "
     "sondern sonst sowie über um und uns unser unsere unserem unseren unter viel viele vom von vor war waren warum "
     "was "
     "weg weil weiter welche welchem welchen welcher welches wenn wer werde werden wie wieder will wir wird wo wobei "
     "wollen worden wurde wurden während zu zum zur zwar zwischen"},
    {"fr",
     "à ai aie ainsi alors après au aucun aucune aussi autant autre autres aux avaient avait avant avec avoir "
     "beaucoup "
     "c ça car ce ceci cela celle celles celui cependant ces cet cette ceux chaque chez comme comment contre d dans "
     "de "
     "depuis des dès deux dont donc du elle elles en encore entre es est et étaient était étant été être eu eux fait "
     "faire font fut ici il ils j je jusqu jusque lorsqu puisqu quelqu quoiqu l la là le les leur leurs lorsque lui "
     "m ma mais malgré me même mêmes "
     "mes moi moins mon n ne ni non nos notre nous on ont or ou où par parce pas pendant peu peut peuvent plus "
     "plusieurs "
     "plutôt pour pourquoi près puis puisque qu quand que quel quelle quelles quelques quels qui quoi s sa sans sauf "
     "se "
     "selon sera seront ses si sinon soi soit son sont sous sur t ta tandis te tel telle telles tels tes toi ton "
     "tous "
     "tout toute toutes très trop tu un une vers voici voilà vos votre vous y"},
    {"es",
     "a al algo algunas alguno algunos ante antes aquel aquella aquellos aquí así aunque bajo bien cada casi como "
     "con "
     "contra cual cuales cuando cuanto de del desde donde dos durante e el él ella ellas ellos en entre era eran "
     "eres es "
     "esa esas ese eso esos esta está están estaba estar estas este esto estos fue fueron ha había han hasta hay he "
     "la "
     "las le les lo los más me mi mientras mis mismo mucho muchos muy nada ni no nos nosotros nuestra nuestro o os "
     "otra "
     "otras otro otros para pero poco por porque pues que qué quien quienes se sea según ser si sí sido sin sobre "
     "sois "
     "somos son soy su sus también tan tanto te tiene tienen toda todas todo todos tras tu tus un una unas uno unos "
     "usted "
     "vosotros y ya yo"},
    {"it",
     "a ad agli ai al alcuni alla alle allo anche ancora avere aveva avevano c che chi ci come con contro cosa così "
     "cui "
     "d da dagli dai dal dall dalla dalle dallo dei degli del dell della delle dello dentro di dopo dove due e è ed "
     "era "
     "erano essere fa fino fra fu furono già gli ha hai hanno ho i il in invece io l la le lei li lo loro lui ma me "
     "mentre mi mia mie miei mio molto ne negli nei nel nell nella nelle nello no noi non nostra nostro o ogni oltre "
     "ora per perché però più poi prima proprio qua qual quale quali quando quanto quasi quella quelle quelli quello "
     "questa queste questi questo qui se sei sempre senza si sia siamo siete solo sono sopra sotto stata stato su "
     "sua "
     "sue sugli sui sul sull sulla sulle suo suoi tra tu tua tue tuo tutta tutte tutti tutto un una uno vi voi"},
    {"pt",
     "a à ao aos aquela aquele aqueles aquilo as às até cada com como contra da das de dela dele deles depois desde "
     "do "
     "dos e é ela elas ele eles em entre era eram essa essas esse esses esta está estão estas estava este estes eu "
     "foi "
     "foram há isso isto já la lhe lhes lo mais mas me mesmo meu meus minha muito muitos na não nas nem no nos nós "
     "nossa "
     "nosso num numa o onde os ou outra outras outro outros para pela pelas pelo pelos pode por porque qual quando "
     "quanto "
     "que quem são se seja sem ser seu seus si sido só sob sobre sua suas também tem têm ter teu todo todos tu tua "
     "tudo "
     "um uma umas uns você vocês"},
    {"nl",
     "aan achter al alle alleen als altijd andere ben bij daar dan dat de deze die dit doen door dus een en er geen "
     "had "
     "hadden heb hebben heeft hem het hier hij hoe hun iets ik in is ja je jij jou kan kon kunnen maar me meer men "
     "met "
     "mij mijn moet moeten na naar niet niets nog nu of om omdat onder ons onze ook op over reeds sinds te tegen "
     "toch "
     "toen tot tussen u uit uw van veel voor waar waren was wat we wel werd werden wie wij wil worden wordt zal ze "
     "zelf "
     "zich zij zijn zo zonder zou"},
    {"sv",
     "alla allt att av blev bli blir de dem den denna deras dess dessa det detta dig din dina ditt du där då efter "
     "ej "
     "eller en ett från för genom ha hade han hans har henne hennes hon honom hur här i icke inom inte ja jag ju kan "
     "kunde man med mellan men mig min mina mitt mot mycket måste ni nu när någon något några och om oss på redan "
     "samma "
     "sedan sig sin sina sitt ska skulle som så till under upp ut utan vad var vara varit varje vem vi vid vilka "
     "vilken "
     "vilket är än även över"},
    {"ru",
     "а без более бы был была были было быть в вам вас весь во вот все всё всего всех вы где да даже для до его её "
     "если "
     "есть ещё же за здесь и из или им их к как какая какой когда кто ли либо лишь меня мне может можно мой мы на "
     "над "
     "надо нас не него неё нет ни них но ну о об однако он она они оно от очень перед по под после потом потому "
     "почти "
     "при про раз с сам свои свой своих себя со так также такие такой там тем теперь то тоже того той только том тот "
     "ты "
     "у уже хотя чего чем через что чтобы нами вами ими ним ней мной тобой вместе эта эти это этого этой этом этот "
     "этих я"},
    {"zh",
     "的 了 和 是 在 我 有 就 不 人 都 一 一个 上 也 很 到 说 要 去 你 会 着 没有 看 自己 这 那 他 她 它 我们 你们 "
     "他们 她们 这个 那个 "
     "这些 那些 与 及 而 但 但是 因为 所以 如果 或 或者 把 被 从 对 为 以 于 等 之 其 将 并 并且 还 还是 又 再 让 给 "
     "向 由 已 已经 可以 "
     "能 能够 什么 怎么 为了 虽然 然后 吗 呢 吧 啊 們 個 這 這個 這些 對 為 與 會 說 沒有 我們 他們 還 從 將 個 來 "
     "来 地 得 里 中 下 最 更 "
     "非常 每 该 该个 只 只有 不是 就是"},
    {"ja",
     "の に は を た が で て と し れ さ ある いる も する から な こと として い や れる など なっ ない この ため "
     "その あっ よう また もの "
     "という あり まで られ なる へ か だ これ によって により おり より による ず なり られる において ば なかっ "
     "なく しかし について せ だっ "
     "その後 できる それ う ので なお のみ でき き つ における および いう さらに でも ら たり その他 に関する たち "
     "ます ん なら です ました "
     "まし ませ ません でし でした い ます ね よ わ ぞ さん ここ そこ どこ あの どの そして だから または それら "
     "これら"},
    {"th",
     "ที่ และ ใน ของ เป็น มี ได้ ให้ ว่า จะ ไม่ การ ความ กับ จาก นี้ นั้น ก็ แต่ หรือ โดย ไป มา อยู่ แล้ว ต้อง ยัง คือ ซึ่ง เพื่อ "
     "ถึง เมื่อ อย่าง ด้วย ทั้ง ตาม เขา เรา ฉัน ผม คุณ มัน พวก ทำ ถูก กว่า มาก อีก เพราะ ถ้า จึง แห่ง ต่อ เอา ขึ้น ลง ออก เข้า กัน คน "
     "นะ ครับ ค่ะ หนึ่ง บาง ทุก ๆ"},
};

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return words;
}

}  // namespace

std::vector<std::string> stop_words_of(const std::string& language) {
  for (const StopList& list : lists) {
    if (language == list.language) return words_in(list.words);
  }
  return {};
}

std::string language_of_words(const std::vector<std::string>& words) {
  // Running text has at least a quarter of function words; a language must also be ahead of related ones.
  constexpr double min_share = 0.1, min_lead = 1.2;
  std::string best;
  double best_share = 0, second_share = 0;
  for (const StopList& list : lists) {
    const std::vector<std::string> members = words_in(list.words);
    const std::unordered_set<std::string> known(members.begin(), members.end());
    const auto hits =
        std::count_if(words.begin(), words.end(), [&](const auto& word) { return known.count(word) > 0; });
    const double share = static_cast<double>(hits) / static_cast<double>(std::max<size_t>(words.size(), 1));
    if (share > best_share) {
      second_share = best_share;
      best_share = share;
      best = list.language;
    } else {
      second_share = std::max(second_share, share);
    }
  }
  return best_share >= min_share && best_share >= min_lead * second_share ? best : "";
}
