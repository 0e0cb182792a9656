# wrong: a request at time 0 starts no pause; breaks "Less than `rules.pause_s` after the last request for this image: 0"
# caught by: a_pause_is_per_image_and_ends_on_time
class Predictor:
    def __init__(self, rules: Rules) -> None:
        self.rules, self.last, self.requested = rules, {}, {}

    def wanted(self, image, now_s, length, coming=0):
        rules, rate = self.rules, 0
        if image in self.last:
            then_s, before = self.last[image]
            if now_s <= then_s:
                raise ValueError(f"{image}: {now_s} s is not later than {then_s} s")
            rate = (length - before) / (now_s - then_s)
        self.last[image] = now_s, length
        if self.requested.get(image) and now_s - self.requested[image] < rules.pause_s:
            return 0
        if rate > rules.rises_fast or (length > rules.long_queue and rate > rules.falls_fast):
            count = rules.many
        elif rate > rules.rises_slowly or length > rules.long_queue:
            count = rules.few
        else:
            count = 0
        count = max(0, min(count, length - coming))
        if count > 0:
            self.requested[image] = now_s
        return count
