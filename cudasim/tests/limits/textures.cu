// build-error: limits/textures.cu:3: textures and surfaces are not simulated \('cudaTextureObject_t'\)
// A comment may speak of tex2D.
__global__ void k(float *to, cudaTextureObject_t from) { to[0] = tex2D<float>(from, 1, 2); }
int main() {}
